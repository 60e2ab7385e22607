"""A model folder: manifest.json, the lexicon, and the nets as safetensors. Data only: no pickle, no code."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.alphabet import Alphabet
from hybrid.atomic import require_folder, whole_folder
from hybrid.errors import ModelError
from hybrid.features import FEATURES
from hybrid.model import Model
from lexicon import Lexicon, LexiconError

FORMAT = "hybrid-segmenter model"
VERSION = 1
MANIFEST = "manifest.json"

Arrays = dict[str, NDArray[np.float32]]


def save_model(model: Model, folder: Path) -> None:
    """Write a model; an older model of that name is replaced once the new one is complete.

    Raises:
        ModelError: something else than a model is there, or a package for saving is not installed.
        OSError: the folder above is missing or can't be written to.
    """
    from hybrid.networks import to_arrays

    check_target(folder)
    with whole_folder(folder) as temporary:
        (temporary / "lexicon").mkdir()
        model.lexicon.save(temporary / "lexicon")
        nets = {**model.taggers, "language_model": model.language_model}
        for name, net in nets.items():
            _save_arrays(to_arrays(net), temporary / f"{name}.safetensors")
        files = sorted(path for path in temporary.rglob("*") if path.is_file())
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "training": model.training,
            "min_parts": model.min_parts,
            "weights": model.weights,
            "alphabet": model.alphabet.characters,
            "features": list(FEATURES),
            "taggers": {name: net.config for name, net in model.taggers.items()},
            "language_model": model.language_model.config,
            "files": {path.relative_to(temporary).as_posix(): _digest(path) for path in files},
        }
        text = json.dumps({**manifest, "sha256": _seal(manifest)}, indent=1, ensure_ascii=False)
        (temporary / MANIFEST).write_text(text + "\n", encoding="utf-8")


def check_target(folder: Path) -> None:
    """Check, before long work, that a model can be saved there.

    Raises:
        ModelError: something else than a model is there.
        OSError: the folder above is missing or can't be written to.
    """
    if folder.exists() and not (folder / MANIFEST).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise ModelError(f"{folder}: is there and is not a model; name a new folder")
    require_folder(folder)


def load_model(folder: Path) -> Model:
    """Read a model, onto the CPU.

    Raises:
        ModelError: the folder is missing, damaged, incomplete, of another format or of a newer version.
    """
    from hybrid.networks import BoundaryTagger, CharLanguageModel, from_arrays

    manifest = _read_manifest(folder)
    _check_files(folder, manifest)
    try:
        taggers = {
            name: from_arrays(BoundaryTagger, config, _load_arrays(folder, manifest, name))
            for name, config in manifest["taggers"].items()
        }
        language_model = from_arrays(
            CharLanguageModel, manifest["language_model"], _load_arrays(folder, manifest, "language_model")
        )
        return Model(
            lexicon=Lexicon.load(folder / "lexicon"),
            alphabet=Alphabet(_sorted(manifest["alphabet"])),
            taggers=taggers,
            language_model=language_model,
            weights={name: float(weight) for name, weight in manifest["weights"].items()},
            min_parts=int(manifest["min_parts"]),
            training=dict(manifest["training"]),
        )
    except LexiconError as error:
        raise ModelError(str(error)) from None
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{folder / MANIFEST}: damaged: {type(error).__name__} {str(error).splitlines()[0]}") from None


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not folder.is_dir():
        raise ModelError(f"{folder}: no such model folder; make one with: hybrid train DATA_DIR --out {folder}")
    try:
        manifest = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ModelError(f"{folder}: not a model, it has no {MANIFEST}") from None
    except (ValueError, RecursionError):
        raise ModelError(f"{path}: damaged: not JSON") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelError(f"{path}: not a {FORMAT}")
    version = manifest.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise ModelError(f"{path}: version {version!r}; this release reads version {VERSION}: update hybrid-segmenter")
    if manifest.pop("sha256", None) != _seal(manifest):
        raise ModelError(f"{path}: damaged, its checksum differs from what it holds")
    if manifest.get("features") != list(FEATURES):
        raise ModelError(f"{path}: its nets read other features than this release has; train it anew")
    return manifest


def _check_files(folder: Path, manifest: dict[str, Any]) -> None:
    files = manifest.get("files")
    if not isinstance(files, dict) or not files:
        raise ModelError(f"{folder / MANIFEST}: damaged: no list of files")
    for name, expected in files.items():
        path = folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise ModelError(f"{folder / MANIFEST}: damaged: a file outside the folder, {name!r}")
        if not path.is_file():
            raise ModelError(f"{path}: missing; the model is incomplete")
        if _digest(path) != expected:
            raise ModelError(f"{path}: damaged, its checksum differs from the manifest's")


def _sorted(characters: str) -> str:
    if not isinstance(characters, str) or list(characters) != sorted(set(characters)):
        raise ValueError("alphabet is not a string of ascending characters")
    return characters


def _seal(manifest: dict[str, Any]) -> str:
    """Return the checksum of all that a manifest says but for the checksum itself."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _digest(path: Path) -> dict[str, str | int]:
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _save_arrays(arrays: Arrays, path: Path) -> None:
    save, _, _ = _safetensors()
    path.write_bytes(save(arrays))


def _load_arrays(folder: Path, manifest: dict[str, Any], name: str) -> Arrays:
    path = folder / f"{name}.safetensors"
    if path.name not in manifest["files"]:
        raise ValueError(f"net {name!r} has no file")
    _, load, damaged = _safetensors()
    try:
        arrays: Arrays = load(path.read_bytes())
    except damaged as error:
        raise ModelError(f"{path}: damaged: {error}") from None
    return arrays


def _safetensors() -> tuple[Any, Any, type[Exception]]:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load, save
    except ImportError:
        raise ModelError("saving and loading a model need the package safetensors: pip install safetensors") from None
    return save, load, SafetensorError
