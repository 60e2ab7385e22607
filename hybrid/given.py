"""What callers give as words: strings, several of them."""

from collections.abc import Iterable


def refuse_one_string(name: str, strings: Iterable[str]) -> None:
    """Refuse a string where several are wanted: it would be taken for a list of its letters.

    Raises:
        TypeError: it is one.
    """
    if isinstance(strings, str):
        raise TypeError(f"{name} is one string; a list of words is right")


def list_of_strings(name: str, strings: Iterable[str]) -> list[str]:
    """Return strings, which may come one by one, as a list.

    Raises:
        TypeError: it is a single string, or one of them is none, such as a missing value in a table.
    """
    refuse_one_string(name, strings)
    result = list(strings)
    if not set(map(type, result)) <= {str}:
        for place, string in enumerate(result):
            check_string(f"{name}[{place}]", string)
    return result


def check_string(name: str, string: object) -> None:
    """Check a string.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(string, str):
        raise TypeError(f"{name} is a {type(string).__name__}; a string is right")
