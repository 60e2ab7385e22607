"""What `compound_splitter` tells of tokens: kept as spaCy keeps such things, so that it goes wherever documents go."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hybrid.errors import DataError
from hybrid.integrations.wanted import wanted
from hybrid.segmentation import Segmentation

with wanted("spacy"):
    from spacy.tokens import Doc, Span, Token

OF_TOKENS = ("parts", "stems", "lemmas", "tree", "probability")
"""What is told of a compound, each an attribute of its token by the name PREFIX_parts and so on."""

Record = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str, float]
"""The values of `OF_TOKENS`, in that order; plain values, for documents are written as MessagePack."""


def record_of(split: Segmentation) -> Record:
    """Return what is told of a compound."""
    return (
        split.texts,
        tuple(part.stem for part in split.parts),
        tuple(part.lemma or part.stem for part in split.parts),
        str(split.tree),
        float(split.compound_probability),
    )


@dataclass(frozen=True)
class TokenAttribute:
    """Reads an attribute of a token; `missing` is told of one that is not split.

    What is read comes back as it was written: MessagePack makes lists of tuples. What is no longer the token's, because
    it was merged with others, is not told.
    """

    prefix: str
    name: str
    missing: Any

    def __call__(self, token: Token) -> Any:
        """Return the value."""
        data = _data(token)
        parts = data.get(_key(token, f"{self.prefix}_parts"))
        if not parts or "".join(parts) != token.text:
            return self.missing
        value = data.get(_key(token, f"{self.prefix}_{self.name}"), self.missing)
        return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class WriteToken:
    """Writes an attribute of a token; spaCy wants it to read documents from JSON."""

    name: str

    def __call__(self, token: Token, value: Any) -> None:
        """Write it."""
        _data(token)[_key(token, self.name)] = value


@dataclass(frozen=True)
class Compounds:
    """Lists the tokens of a document or a span that are compounds."""

    prefix: str

    def __call__(self, tokens: Doc | Span) -> list[Token]:
        """Return them."""
        return [token for token in tokens if token._.get(f"{self.prefix}_parts")]


def register(prefix: str) -> None:
    """Add the attributes to all tokens, documents and spans; a second time nothing is done.

    Raises:
        DataError: somebody else has added one by that name.
    """
    for name in OF_TOKENS:
        missing = () if name in ("parts", "stems", "lemmas") else "" if name == "tree" else None
        full = f"{prefix}_{name}"
        _register(Token, full, TokenAttribute(prefix, name, missing), WriteToken(full))
    for of in (Doc, Span):
        _register(of, f"{prefix}s", Compounds(prefix), None)


def _register(of: Any, name: str, getter: Callable[[Any], Any], setter: Callable[[Any, Any], None] | None) -> None:
    if not of.has_extension(name):
        of.set_extension(name, getter=getter, setter=setter)
    elif of.get_extension(name)[2] != getter:
        raise DataError(
            f"{of.__name__.lower()}._.{name} is another component's attribute; name ours otherwise with the setting "
            f'prefix, such as prefix = "{name.partition("_")[0]}_word"'
        )


def write(token: Token, prefix: str, record: Record | None) -> None:
    """Write what is told of a token; None: it is no compound, and what was told of it before is taken away."""
    data = _data(token)
    if record is None:
        if _key(token, f"{prefix}_parts") in data:
            for name in OF_TOKENS:
                data.pop(_key(token, f"{prefix}_{name}"), None)
        return
    for name, value in zip(OF_TOKENS, record, strict=True):
        data[_key(token, f"{prefix}_{name}")] = value


def _key(token: Token, name: str) -> tuple[str, str, int, None]:
    """Return the key that spaCy itself writes a token's attribute under, which it moves with the token."""
    return ("._.", name, token.idx, None)


def _data(token: Token) -> dict[Any, Any]:
    """Return the user data of a token's document, whose keys are no strings, whatever spaCy's types say."""
    return token.doc.user_data
