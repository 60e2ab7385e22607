"""Letters as Lucene sees them: in lower case by its filter, and counted in units of UTF-16."""

from array import array


def lucene_lower(text: str) -> str:
    """Return a text in lower case, character by character as `Character.toLowerCase` of Java has it.

    It has as many characters as before; Python's own has more for İ.
    """
    lower = text.lower()
    return lower if len(lower) == len(text) and "Σ" not in text else "".join(char.lower()[0] for char in text)


def units(text: str) -> str:
    """Return a text with two characters for each beyond U+FFFF, as Java's strings have them; others unchanged."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(map(chr, array("H", text.encode("utf-16-le", "surrogatepass"))))


def whole(text: str) -> str:
    """Return a text whose `units` are given."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
