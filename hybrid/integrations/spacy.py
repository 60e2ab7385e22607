"""spaCy's pipeline component `compound_splitter`, which tells the parts of tokens that are compounds.

spaCy imports this module whenever a pipeline is made, whether or not the component is in it: what takes time is
imported when a component is made.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional

from hybrid.errors import DataError
from hybrid.integrations.wanted import wanted

with wanted("spacy"):
    from spacy.language import Language
    from spacy.parts_of_speech import IDS
    from spacy.tokens import Doc, Token
    from spacy.util import raise_error

if TYPE_CHECKING:
    from hybrid.integrations.spacy_attributes import Record
    from hybrid.memory import Memory
    from hybrid.segmenter import Segmenter

ErrorHandler = Callable[[str, Any, list[Doc], Exception], Any]


class CompoundSplitter:
    """Tells the parts of tokens that are compounds.

    Looked at is each token that is one word, hyphens included: no number, address, file name, nothing with a sign in
    it. One that is a compound has `token._.compound_parts` and, one for each part, `compound_stems` and
    `compound_lemmas` (the stem where the lexicon knows no dictionary form), also `compound_tree` (the finest parts,
    bracketed) and `compound_probability` (that of being a compound). Of all others these are (), (), (), "" and None.

    Args:
        nlp: the pipeline.
        name: the component's in it.
        model: a model folder, which is looked for when the first text comes; None: the default model.
        mode: as for `hybrid.load`.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
        pos: only tokens with one of these `token.pos_` are looked at, such as ["NOUN", "PROPN"]; None: all.
        entries: the user's words, as for `UserDictionary.make`.
        always: words that are cut just so, likewise.
        never: words that are left whole, likewise.
        prefix: what the attributes' names begin with; two splitters in one pipeline want two, for the later one
            overwrites what it looks at.

    Raises:
        DataError: an argument is wrong, or an attribute's name is taken.
        ModelError: as for `hybrid.load` and `Segmenter.split`.
    """

    _memory: "Memory[Record | None] | None"

    def __init__(
        self,
        nlp: Language,
        name: str = "compound_splitter",
        *,
        model: str | None = None,
        mode: Literal["cascade", "fast", "nets"] = "cascade",
        granularity: Literal["fine", "head", "contest"] = "fine",
        min_probability: float = 0.0,
        pos: list[str] | None = None,
        entries: list[str] | dict[str, float] | None = None,
        always: list[str] | None = None,
        never: list[str] | None = None,
        prefix: str = "compound",
    ) -> None:
        from hybrid.integrations.spacy_attributes import register

        if not isinstance(min_probability, int | float) or not 0 <= min_probability <= 1:
            raise DataError(f"{name}: min_probability is {min_probability!r}, should be 0 to 1")
        if not prefix.isidentifier():
            raise DataError(f"{name}: prefix is {prefix!r}; letters, digits and _ are right, as in a variable's name")
        self.name, self.prefix = name, prefix
        self._mode, self._granularity, self._min_probability = mode, granularity, min_probability
        self._pos = None if pos is None else _checked_pos(name, pos)
        self._error_handler: ErrorHandler = raise_error
        self._warned = False
        self._set(model, {"entries": entries or [], "always": always or [], "never": never or []}, None)
        register(prefix)
        if model is None:
            self._memory = self._new_memory()

    def _set(self, model: str | None, words: dict[str, Any], segmenter: Optional["Segmenter"]) -> None:
        """Take a model, named or loaded, and words, which are checked."""
        from hybrid.user import UserDictionary

        try:
            user = UserDictionary.make(words["entries"], always=words["always"], never=words["never"])
        except (DataError, TypeError) as error:
            raise DataError(f"{self.name}: {error}") from None
        self._model, self._words, self._user, self._own = model, words, user, segmenter
        self._memory = None

    @property
    def segmenter(self) -> "Segmenter":
        """What splits, with the user's words; errors as for `hybrid.load`."""
        from hybrid.integrations.shared import segmenter_of

        segmenter = self._own or segmenter_of(self._model, self._mode)
        return segmenter.with_user(self._user) if any(self._words.values()) else segmenter

    def __call__(self, doc: Doc) -> Doc:
        """Tell the compounds of one document."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Tell the compounds of documents, a batch's new words all at a time."""
        stream = iter(stream)
        while docs := list(islice(stream, max(1, batch_size))):  # with 0 no document would come out again
            yield from self._annotated(docs)

    def _annotated(self, docs: list[Doc]) -> list[Doc]:
        try:
            self._annotate(docs)
        except Exception as error:
            self._error_handler(self.name, self, docs, error)
            return []
        return docs

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Set what is called with name, component, documents and error where documents fail; they are left out."""
        self._error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """Return what `set_error_handler` set; without it errors are raised."""
        return self._error_handler

    def _annotate(self, docs: list[Doc]) -> None:
        from hybrid.integrations.spacy_attributes import write

        memory = self._memory
        if memory is None:  # two threads may both make one: either will do
            memory = self._memory = self._new_memory()
        tokens = [token for doc in docs for token in self._words_of(doc)]
        for token, record in zip(tokens, memory([token.text for token in tokens]), strict=True):
            write(token, self.prefix, record)

    def _words_of(self, doc: Doc) -> list[Token]:
        pos = self._pos
        if pos is not None and len(doc) and not self._warned and not doc.has_annotation("POS"):
            self._warned = True
            warnings.warn(
                f"{self.name}: no token of a document has a part of speech, so nothing is split; put a component that "
                "assigns token.pos before it, or take the setting pos away",
                stacklevel=2,
            )
        return [
            token
            for token in doc
            if (pos is None or token.pos in pos) and not (token.like_num or token.like_url or token.like_email)
        ]

    def _new_memory(self) -> "Memory[Record | None]":
        from hybrid.integrations.spacy_attributes import record_of
        from hybrid.memory import Memory
        from hybrid.text import is_word

        segmenter = self.segmenter
        settings: dict[str, Any] = {"granularity": self._granularity, "min_probability": self._min_probability}
        segmenter.split_batch([], **settings)  # a wrong one is told at once

        def find(texts: list[str]) -> "list[Record | None]":
            words = [text for text in texts if is_word(text)]
            splits = zip(words, segmenter.split_batch(words, **settings), strict=True)
            found = {word: record_of(split) for word, split in splits if len(split.parts) > 1}
            return [found.get(text) for text in texts]

        return Memory(find)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the user's words and, unless it is the default one, the model; settings are in the pipeline's config.

        Raises:
            OSError: the folder above is missing or can't be written to.
        """
        from hybrid.integrations.spacy_saving import save

        save(Path(path), self._words, self.segmenter if self._own or self._model is not None else None)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "CompoundSplitter":
        """Read what `to_disk` wrote; words given before are kept in place of those there, a model where none is there.

        Raises:
            DataError, ModelError: it is missing or damaged.
        """
        from hybrid.integrations.shared import segmenter_of
        from hybrid.integrations.spacy_saving import load

        words, model = load(Path(path))
        return self._restored(words, None if model is None else segmenter_of(model, self._mode))

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return as bytes what `to_disk` writes."""
        from hybrid.integrations.spacy_saving import to_bytes

        return to_bytes(self.to_disk)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "CompoundSplitter":
        """Read what `to_bytes` returned, as `from_disk` does."""
        from hybrid import load as load_model
        from hybrid.integrations.spacy_saving import from_bytes, load

        with from_bytes(data) as folder:
            words, model = load(folder)
            return self._restored(words, None if model is None else load_model(model, mode=self._mode))

    def _restored(self, words: dict[str, Any], own: Optional["Segmenter"]) -> "CompoundSplitter":
        self._set(self._model if own is None else None, self._words if any(self._words.values()) else words, own)
        self._memory = self._new_memory()
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made anew: processes that are started afresh get this."""
        return {**vars(self), "_memory": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Be as new, in a process that may not have our attributes yet."""
        from hybrid.integrations.spacy_attributes import register

        vars(self).update(state)
        register(self.prefix)


def _checked_pos(name: str, pos: list[str]) -> frozenset[int]:
    if not pos:
        raise DataError(f'{name}: pos is empty, so that nothing would be split; a list such as ["NOUN"] is right')
    for tag in pos:
        if tag not in IDS or not tag:
            known = ", ".join(sorted(tag for tag in IDS if tag and tag not in ("CONJ", "EOL", "SPACE")))
            raise DataError(f"{name}: pos has {tag!r}, which is no token.pos_; one of {known} is right")
    return frozenset(IDS[tag] for tag in pos)


make_compound_splitter = Language.factory(
    "compound_splitter",
    assigns=["token._.compound_parts", "token._.compound_stems", "token._.compound_lemmas", "token._.compound_tree",
             "token._.compound_probability", "doc._.compounds", "span._.compounds"],
    default_config={"model": None, "mode": "cascade", "granularity": "fine", "min_probability": 0.0, "pos": None,
                    "entries": [], "always": [], "never": [], "prefix": "compound"},
    func=CompoundSplitter,
)  # fmt: skip
"""Makes the component as a pipeline's configuration tells; the package's entry point for spaCy."""
