"""Words of texts as people write them: tweets and reviews."""

import regex

_WORD = regex.compile(
    r"\[\p{Lu}+\]|#\w+|\p{L}+(?:-\p{L}+)*|\p{N}+(?:[.,]\p{N}+)*|[\p{P}\p{S}]|\w+",
)

_REPEATED = regex.compile(r"(.)\1{2,}")


def words_of(text: str, *, lower: bool = True) -> list[str]:
    """Return the words of a text, in lower case or as they are written.

    A letter or mark that is there three times or more in a row is there twice (`bangeeet`, `!!!!`); a placeholder such
    as [USERNAME] is one word; a hashtag is one, followed by itself without its mark.
    """
    words: list[str] = []
    for found in _WORD.findall(_REPEATED.sub(r"\1\1", text)):
        word = found.lower() if lower else found
        words.append(word)
        if word[0] == "#" and len(word) > 1:
            words.append(word[1:])
    return words
