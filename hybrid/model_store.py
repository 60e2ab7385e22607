"""A model folder: manifest.json, the lexicon, and the nets as safetensors. Data only: no pickle, no code."""

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.alphabet import Alphabet
from hybrid.atomic import require_writable, whole_folder, whole_folder_at
from hybrid.default import FOLDER as DEFAULT
from hybrid.errors import ModelError
from hybrid.features import FEATURES, SEGMENT_FEATURES
from hybrid.firstpass.weights import FirstPass
from hybrid.model import Model, check_model
from hybrid.nets import StoredNets
from lexicon import Lexicon, LexiconError
from lexicon.checksums import file_list, read_files
from lexicon.errors import quoted
from lexicon.headers import read_header
from lexicon.store import HEADER, saved_tries
from lexicon.trie import require_marisa

log = logging.getLogger(__name__)

FORMAT = "hybrid-segmenter model"
VERSION = 4
"""1 had boundary nets instead of segment nets, 2 no bracketing and 32 bits a number, 3 no first pass; all are read."""
MANIFEST = "manifest.json"
FIRST_PASS = "first_pass"

Arrays = Mapping[str, NDArray[np.floating]]


def save_model(model: Model, folder: Path, *, half: bool = False) -> None:
    """Write a model; an older model of that name is replaced once the new one is complete.

    Args:
        model: what is written.
        folder: where to.
        half: nets are rounded to 16 bits a number, which halves their files; scores change in the fourth digit.

    Raises:
        ModelError: something else than a model is there, or a package for saving is not installed.
        OSError: the folder above is missing or can't be written to.
    """
    from hybrid.networks import to_arrays

    check_target(folder)
    with whole_folder(folder) as temporary:
        (temporary / "lexicon").mkdir()
        model.lexicon.save(temporary / "lexicon")
        nets = model.nets.made
        arrays = {name: to_arrays(net) for name, net in nets.by_name().items()}
        if model.first_pass is not None:
            arrays[FIRST_PASS] = model.first_pass.arrays()
        for name, of_name in arrays.items():
            kept = {key: array.astype(np.float16) for key, array in of_name.items()} if half else of_name
            _save_arrays(kept, temporary / f"{name}.safetensors")
        files = sorted(path for path in temporary.rglob("*") if path.is_file())
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "training": model.training,
            "min_parts": model.min_parts,
            "weights": model.weights,
            "bracketing": model.bracketing,
            "corrections": model.corrections,
            "card": model.card,
            "alphabet": model.alphabet.characters,
            "features": list(FEATURES),
            "segment_features": list(SEGMENT_FEATURES),
            "segment_nets": {name: [net.config for net in some] for name, some in nets.segments.items()},
            "taggers": {name: net.config for name, net in nets.taggers.items()},
            "language_model": nets.language_model.config,
            FIRST_PASS: _about(model.first_pass),
            "files": file_list(temporary, [path.relative_to(temporary).as_posix() for path in files]),
        }
        text = json.dumps({**manifest, "sha256": _seal(manifest)}, indent=1, ensure_ascii=False)
        (temporary / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _about(first_pass: FirstPass | None) -> dict[str, Any] | None:
    return None if first_pass is None else {"sure": first_pass.sure, "windows": first_pass.windows}


def check_target(folder: Path) -> None:
    """Check, before long work, that a model can be saved there.

    Raises:
        ModelError: something else than a model is there, or a package for saving is not installed.
        OSError: the folder above is missing or can't be written to.
    """
    _safetensors()
    require_marisa()
    if folder.exists() and (not folder.is_dir() or _strangers(folder)):
        raise ModelError(f"{folder}: holds something else than a model; name a new folder")
    require_writable(folder, folder=True)


def _strangers(folder: Path) -> set[str]:
    """Return what is in a folder that is no part of a model there."""
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    try:
        manifest = read_header(folder / MANIFEST, FORMAT, VERSION)
    except LexiconError:
        return names
    files = {MANIFEST, *(manifest["files"] if isinstance(manifest.get("files"), dict) else ())}
    return names - files - {parent.as_posix() for file in files for parent in PurePosixPath(file).parents}


def load_model(folder: Path) -> Model:
    """Read a model, onto the CPU; the folder may come from strangers.

    Nothing in it is run, no file outside it is read, and memory is bounded by the sizes of its files. Only the tries
    that the default model has are taken as they are; others are made anew of their strings (`lexicon.trie.load_trie`).

    Where a save was killed just as the new folder took the old one's place, the new one is read where it is.

    Raises:
        ModelError: the folder is missing, damaged, incomplete, of another format or of a newer version; the message is
            one line.
    """
    own = folder == DEFAULT
    try:
        folder = _find(folder)
    except OSError as error:
        raise ModelError(f"{quoted(str(folder))}: can't be read: {error.strerror}") from None
    try:
        manifest = _read_manifest(folder, own=own)
        segments = {name: tuple(configs) for name, configs in manifest["segment_nets"].items()}
        names = [*(f"{name}-{i}" for name, configs in segments.items() for i, _ in enumerate(configs, 1)),
                 *manifest["taggers"], "language_model"]  # fmt: skip
        first_pass = manifest.get(FIRST_PASS)
        files = [*names, *([] if first_pass is None else [FIRST_PASS])]
        stored = {name: f"{name}.safetensors" for name in files}
        contents = read_files(folder, manifest.get("files"), [*stored.values(), f"lexicon/{HEADER}"], own=own)
        arrays = {name: _load_arrays(contents.pop(file), folder / file) for name, file in stored.items()}
        model = Model(
            lexicon=Lexicon.load(folder / "lexicon", trusted=saved_tries(DEFAULT / "lexicon"), own=own),
            alphabet=Alphabet(manifest["alphabet"]),
            nets=StoredNets(segments, dict(manifest["taggers"]), manifest["language_model"], arrays),
            weights=_numbers(manifest["weights"]),
            min_parts=manifest["min_parts"],
            training=dict(manifest["training"]),
            bracketing=None if manifest.get("bracketing") is None else _numbers(manifest["bracketing"]),
            corrections={word: tuple(cuts) for word, cuts in manifest.get("corrections", {}).items()},
            card=dict(manifest.get("card", {})),
            first_pass=None if first_pass is None else FirstPass.from_arrays(arrays[FIRST_PASS], **first_pass),
        )
        check_model(model)
    except (LexiconError, ModelError) as error:
        raise ModelError(_line(error, 1000)) from None
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError, OverflowError, MemoryError) as error:
        raise ModelError(f"{folder / MANIFEST}: damaged: {type(error).__name__} {_line(error, 200)}") from None
    return model


def _find(folder: Path) -> Path:
    place = whole_folder_at(folder)
    if place != folder:
        log.warning("%s: a save was killed as it gave the model its name; it is whole, and read from %s", folder, place)
    return place


def _read_manifest(folder: Path, *, own: bool) -> dict[str, Any]:
    path = folder / MANIFEST
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such model folder; make one with: hybrid train DATA_DIR --out {folder}")
    if not path.exists():
        raise ModelError(f"{folder}: not a model, it has no {MANIFEST}")
    manifest = read_header(path, FORMAT, VERSION, own=own)
    if manifest.pop("sha256", None) != _seal(manifest):
        raise ModelError(f"{path}: damaged, its checksum differs from what it holds")
    if manifest.get("version") == 1:
        manifest |= {"segment_nets": {}, "segment_features": []}
    for key, known in (("features", FEATURES), ("segment_features", SEGMENT_FEATURES)):
        read = manifest.get(key)
        if not isinstance(read, list) or read != list(known[: len(read)]):
            raise ModelError(f"{path}: its nets read other features than this release has; train it anew")
    return manifest


def _numbers(weights: dict[str, Any]) -> dict[str, float]:
    for name, weight in weights.items():
        if type(weight) not in (int, float):
            raise ValueError(f"the weight of {name[:80]!r} is no number")
    return {name: float(weight) for name, weight in weights.items()}


def _seal(manifest: dict[str, Any]) -> str:
    """Return the checksum of all that a manifest says but for the checksum itself."""
    try:
        return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    except RecursionError:
        return "nested too deeply"


def _save_arrays(arrays: Arrays, path: Path) -> None:
    save, _, _ = _safetensors()
    path.write_bytes(save(arrays))


def _load_arrays(content: bytes, path: Path) -> Arrays:
    _, load, damaged = _safetensors()
    try:
        arrays = load(content)
    except (damaged, KeyError, ValueError) as error:  # a type that numpy lacks is a key that is not there
        raise ModelError(f"{path}: damaged: {_line(error, 200)}") from None
    return {name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in arrays.items()}


def _line(error: BaseException, most: int) -> str:
    """Return an error's message on one line that can be printed: strangers' names may be in it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(error)[:most])


def _safetensors() -> tuple[Any, Any, type[Exception]]:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load, save
    except ImportError:
        raise ModelError("saving and loading a model need the package safetensors: pip install safetensors") from None
    return save, load, SafetensorError
