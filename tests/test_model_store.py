"""The model folder: what is in it, what it refuses, and that old ones load."""

import json
import shutil
from pathlib import Path

import pytest

from hybrid import ModelError, Segmenter
from hybrid.model_store import MANIFEST, VERSION, _seal
from lexicon.checksums import file_list

OLD = Path(__file__).parent / "data"


def edit(folder: Path, **changes: object) -> None:
    path = folder / MANIFEST
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["sha256"]
    manifest["files"].update(changes.pop("more_files", {}))
    manifest.update(changes)
    path.write_text(json.dumps({**manifest, "sha256": _seal(manifest)}), encoding="utf-8")


@pytest.fixture
def copy(model_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_folder, tmp_path / "copy"))


def test_what_a_model_holds(model_folder: Path) -> None:
    kinds = {path.suffix for path in model_folder.rglob("*") if path.is_file()}
    assert kinds == {".json", ".safetensors", ".marisa", ".npz"}
    manifest = json.loads((model_folder / MANIFEST).read_text(encoding="utf-8"))
    assert (manifest["format"], manifest["version"]) == ("hybrid-segmenter model", VERSION)
    listed = {*manifest["files"], MANIFEST}
    assert listed == {p.relative_to(model_folder).as_posix() for p in model_folder.rglob("*") if p.is_file()}


def test_saving_the_same_model_gives_the_same_bytes(segmenter: Segmenter, model_folder: Path, tmp_path: Path) -> None:
    segmenter.save(tmp_path / "again")
    for path in model_folder.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "again" / path.relative_to(model_folder)).read_bytes()


def test_every_file_is_missed_and_its_damage_seen(model_folder: Path, tmp_path: Path) -> None:
    names = [p.relative_to(model_folder) for p in sorted(model_folder.rglob("*")) if p.is_file()]
    assert len(names) == 9
    for i, name in enumerate(names):
        folder = Path(shutil.copytree(model_folder, tmp_path / str(i)))
        content = (folder / name).read_bytes()
        for damaged in (content[:-2], b"", content[:-9] + bytes([content[-9] ^ 1]) + content[-8:], content + b"x"):
            (folder / name).write_bytes(damaged)
            with pytest.raises(ModelError, match=name.name) as caught:
                Segmenter.load(folder)
            assert "\n" not in str(caught.value)
        (folder / name).unlink()
        with pytest.raises(ModelError, match=r"missing; the folder is incomplete|has no manifest\.json"):
            Segmenter.load(folder)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": VERSION + 1}, f"version {VERSION + 1}; this release reads version"),
        ({"version": "1"}, "version '1'"),
        ({"format": "other"}, "not a hybrid-segmenter model"),
        ({"more_files": {"../../etc/passwd": {}}}, "a file outside the folder"),
        ({"more_files": {"/etc/passwd": {}}}, "a file outside the folder"),
        ({"more_files": {"x" * 5000: {}}}, "can't be read"),
        ({"more_files": {"lexicon": {}}}, "can't be read|damaged"),
        ({"files": []}, "no list of files"),
        ({"files": {}}, "is not in its list of files"),
        ({"features": ["rhyme"]}, "other features"),
        ({"weights": {"count": "x"}}, "damaged"),
        ({"weights": None}, "damaged"),
        ({"weights": {}}, "there are no weights"),
        ({"segment_features": ["rhyme"]}, "other features"),
        ({"segment_nets": {"segment": [{"symbols": 3}]}}, "damaged"),
        ({"segment_nets": {"segment": [{"hidden": 10**9, "symbols": 10**9}]}}, "damaged"),
        ({"segment_nets": {"../x": [{}]}}, "is not in its list of files"),
        ({"segment_nets": {"segment": 3}}, "damaged"),
        ({"segment_nets": []}, "damaged"),
        ({"taggers": {"../x": {}}}, "is not in its list of files"),
        ({"alphabet": 3}, "damaged"),
        ({"alphabet": "abc"}, "characters, the alphabet has 4"),
        ({"alphabet": "ba"}, "ascending"),
        ({"alphabet": "\ud800"}, "damaged"),
        ({"min_parts": None}, "min_parts is None"),
        ({"min_parts": -5}, "min_parts is -5"),
        ({"min_parts": float("inf")}, "min_parts is inf"),
        ({"weights": {"count": float("nan")}}, "a weight is not below"),
        ({"weights": {"count": 1e308}}, "a weight is not below"),
    ],
)
def test_a_wrong_manifest_is_told_in_one_line(copy: Path, changes: dict[str, object], message: str) -> None:
    edit(copy, **changes)
    with pytest.raises(ModelError, match=message) as caught:
        Segmenter.load(copy)
    assert "\n" not in str(caught.value)


def test_folders_that_are_no_models(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such model folder"):
        Segmenter.load(tmp_path / "none")
    with pytest.raises(ModelError, match=r"has no manifest.json"):
        Segmenter.load(tmp_path)
    for content in (b"{", b"\xff", b"[" * 100_000):
        (tmp_path / MANIFEST).write_bytes(content)
        with pytest.raises(ModelError, match="not JSON"):
            Segmenter.load(tmp_path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_nets_with_numbers_that_are_none_are_refused(copy: Path, value: float) -> None:
    import numpy as np
    from safetensors.numpy import load_file, save_file

    path = copy / "segment-1.safetensors"
    arrays = load_file(path)
    arrays["out.bias"] = np.array([value], np.float32)
    save_file(arrays, path)
    resign(copy)
    with pytest.raises(ModelError, match="segment-1 holds a number that is not finite"):
        Segmenter.load(copy)
    save_file({**arrays, "out.bias": np.zeros(1)}, path)
    resign(copy)
    with pytest.raises(ModelError, match="not float32"):
        Segmenter.load(copy)


def resign(folder: Path) -> None:
    """Make the checksums fit what the files hold now."""
    files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    edit(folder, files=file_list(folder, files))


def test_saving_follows_links_and_keeps_strangers(segmenter: Segmenter, model_folder: Path, tmp_path: Path) -> None:
    target = Path(shutil.copytree(model_folder, tmp_path / "model"))
    (tmp_path / "link").symlink_to(target)
    segmenter.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    Segmenter.load(target)
    (target / "notes.txt").write_text("precious")
    with pytest.raises(ModelError, match="holds something else than a model"):
        segmenter.save(target)
    (tmp_path / "extension").mkdir()
    (tmp_path / "extension" / MANIFEST).write_text('{"name": "my extension"}')
    with pytest.raises(ModelError, match="holds something else than a model"):
        segmenter.save(tmp_path / "extension")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "link").symlink_to(tmp_path)
    with pytest.raises(ModelError, match="holds something else than a model"):
        segmenter.save(tmp_path / "empty")
    with pytest.raises(OSError, match="File name too long"):
        segmenter.save(tmp_path / ("x" * 300))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "extension", "link", "model"]


@pytest.mark.parametrize("rename", [1, 2, 3])
def test_a_save_cut_short_while_swapping_leaves_the_old_model(
    rename: int, segmenter: Segmenter, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Path(shutil.copytree(model_folder, tmp_path / "model"))
    before, replace, calls = (target / MANIFEST).stat().st_ino, Path.replace, []

    def interrupted(self: Path, other: Path) -> Path:
        calls.append(other)
        if len(calls) == rename:
            raise KeyboardInterrupt
        return replace(self, other)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        segmenter.save(target)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert (target / MANIFEST).stat().st_ino == before
    Segmenter.load(target)


def test_saving_replaces_a_model_and_nothing_else(segmenter: Segmenter, tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    segmenter.save(target)
    (target / "lexicon" / "columns.npz").unlink()
    segmenter.save(target)
    Segmenter.load(target)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("precious")
    with pytest.raises(ModelError, match="holds something else than a model"):
        segmenter.save(tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.txt").read_text() == "precious"
    with pytest.raises(OSError, match="no such folder"):
        segmenter.save(tmp_path / "none" / "model")


def test_a_failed_save_leaves_the_old_model(
    segmenter: Segmenter, model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import hybrid.networks

    target = Path(shutil.copytree(model_folder, tmp_path / "model"))

    def full(net: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(hybrid.networks, "to_arrays", full)
    with pytest.raises(OSError, match="No space left"):
        segmenter.save(target)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    Segmenter.load(target)


@pytest.mark.parametrize("folder", sorted(OLD.glob("model-v*")), ids=lambda folder: folder.name)
def test_models_of_every_version_load_and_split_as_they_did(folder: Path) -> None:
    splits = (folder.parent / f"splits-{folder.name.removeprefix('model-')}.txt").read_text(encoding="utf-8").split()
    segmenter = Segmenter.load(folder)
    assert [str(split) for split in segmenter.split_batch(s.replace("|", "") for s in splits)] == splits


def test_there_is_a_model_of_every_version() -> None:
    assert [folder.name for folder in sorted(OLD.glob("model-v*"))] == [f"model-v{v + 1}" for v in range(VERSION)]
