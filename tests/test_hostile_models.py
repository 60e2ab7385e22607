"""Model folders from strangers: a file damaged and signed anew gives an error of one line, or a model that works."""

import io
import json
import os
import shutil
import threading
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import marisa_trie
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid.model_store
import lexicon.marisa
import lexicon.trie
from hybrid import ModelError, Segmenter
from hybrid.cli import main
from hybrid.columns import weigh
from hybrid.decoding import marginals
from hybrid.default import FOLDER as DEFAULT
from hybrid.lattice import build_lattice
from hybrid.model_store import MANIFEST, check_target
from lexicon import Lexicon
from lexicon.checksums import file_list
from lexicon.headers import MOST_BYTES
from lexicon.marisa import read_strings
from tests.damage import replaced
from tests.hostile import (
    HEADERS,
    attack_files,
    attack_headers,
    attack_model,
    require_line,
    resign,
    write_header,
)

MODEL = Path(__file__).parent / "data" / "model-v4"

NET, NPZ, TRIE = "segment-1.safetensors", "lexicon/columns.npz", "lexicon/strings.marisa"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODEL, tmp_path / "model"))


def refuse(folder: Path, name: str, content: bytes, message: str) -> None:
    (folder / name).write_bytes(content)
    resign(folder)
    with pytest.raises(ModelError, match=message) as caught:
        Segmenter.load(folder, device="cpu")
    require_line(caught.value)


@pytest.mark.parametrize(("version", "trials"), [(1, 24), (4, 50)])
def test_damaged_bytes_signed_anew_are_an_error_or_a_model(version: int, trials: int) -> None:
    assert attack_model(MODEL.with_name(f"model-v{version}"), trials, seed=version) == []


def test_wrong_values_in_headers_are_an_error_or_a_model() -> None:
    assert attack_headers(MODEL, 90, seed=1) == []


def test_what_is_no_plain_file_inside_the_folder_is_refused() -> None:
    assert attack_files(MODEL, 72, seed=1) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_corpus_run_reads_nothing_without_an_end_either(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    words, model, strange = tmp_path / "in.txt", tmp_path / "model", tmp_path / "strange"
    words.write_text("Haustür\n", encoding="utf-8")
    shutil.copytree(MODEL, model)
    (model / "manifest.json").unlink()
    for path in (model / "manifest.json", strange):
        os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    for options in (["--model", str(model)], ["--user-dictionary", str(strange)], ["--never", str(strange)]):
        assert main(["split-corpus", str(words), str(tmp_path / "out.txt"), *options]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "model", "strange"]


def test_a_lexicon_folder_that_is_a_link_is_refused(copy: Path, tmp_path: Path) -> None:
    (copy / "lexicon").rename(tmp_path / "elsewhere")
    (copy / "lexicon").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ModelError, match="a file outside the folder"):
        Segmenter.load(copy)


def test_the_programs_own_model_may_be_made_of_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lexicon").mkdir()
    for path in MODEL.rglob("*.*"):
        (tmp_path / path.relative_to(MODEL)).symlink_to(path)
    with pytest.raises(ModelError, match="a file outside the folder"):
        Segmenter.load(tmp_path)
    monkeypatch.setattr(hybrid.model_store, "DEFAULT", tmp_path)
    Segmenter.load(tmp_path)


def test_saving_does_not_wait_for_a_pipe_in_its_place(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / MANIFEST)
    writer = threading.Thread(target=lambda: (tmp_path / MANIFEST).write_bytes(b"{"), daemon=True)
    writer.start()  # so that who waits for the pipe gets something, and is found out
    with pytest.raises(ModelError, match="holds something else than a model"):
        check_target(tmp_path)
    assert writer.is_alive()
    reader = os.open(tmp_path / MANIFEST, os.O_RDONLY | os.O_NONBLOCK)
    writer.join()
    os.close(reader)


def test_a_folders_name_may_hold_anything(tmp_path: Path) -> None:
    for name in ("a\nb", "a\x1b[31m", "\udcff"):
        folder = tmp_path / name
        with pytest.raises(ModelError, match="no such model folder") as caught:
            Segmenter.load(folder)
        require_line(caught.value)
        shutil.copytree(MODEL, folder)
        Segmenter.load(folder)
        (folder / NET).unlink()
        with pytest.raises(ModelError, match="missing") as caught:
            Segmenter.load(folder)
        require_line(caught.value)


def test_only_tries_that_ship_are_read_by_marisa(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    class Watched(marisa_trie.Trie):
        def frombytes(self, content: bytes) -> "Watched":
            read.append(len(content))
            return super().frombytes(content)

    monkeypatch.setattr(lexicon.trie, "marisa_trie", SimpleNamespace(Trie=Watched))
    Segmenter.load(copy, device="cpu")
    assert read == []
    Segmenter.load(DEFAULT, device="cpu")
    assert read == [(DEFAULT / "lexicon" / f"{name}.marisa").stat().st_size for name in ("strings", "dictionary")]


KEYS = st.sets(st.text("abcäß\U0001f468", min_size=1, max_size=12), max_size=60)


@settings(deadline=None, max_examples=60)
@given(KEYS, st.booleans(), st.integers(1, 5))
def test_a_tries_strings_are_read_as_marisa_reads_them(keys: set[str], binary: bool, levels: int) -> None:
    trie = marisa_trie.Trie(keys, num_tries=levels, binary=binary)
    assert read_strings(trie.tobytes()) == [trie.restore_key(number) for number in range(len(trie))]


@pytest.mark.parametrize("keys", [[""], ["a\0b", "c"], ["a" * n for n in range(1, 200)]])
def test_strings_that_no_lexicon_has_are_refused(keys: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon.marisa, "MOST_BYTES", 10_000)  # the last trie's strings have twice as many
    with pytest.raises(ValueError, match=r"empty, or holds NUL|too long"):
        read_strings(marisa_trie.Trie(keys).tobytes())


@pytest.mark.parametrize("bits", [0b110001, 0b000111, 0b011100])
def test_nodes_that_are_no_tree_are_refused(bits: int) -> None:
    """Bits that make a node its own ancestor, a second root, or a first node that is no root."""
    content = marisa_trie.Trie(["a", "b"]).tobytes()
    assert content[24] == 0b001101
    with pytest.raises(ValueError, match="no tree"):
        read_strings(content[:24] + bytes([bits]) + content[25:])


def test_a_trie_numbered_in_another_way_is_refused(copy: Path) -> None:
    """It would give its strings the columns of others."""
    trie = Lexicon.load(MODEL / "lexicon").trie
    other = marisa_trie.Trie([*trie], order=marisa_trie.LABEL_ORDER)
    assert [other.get(key) for key in trie] != [trie.get(key) for key in trie]
    refuse(copy, TRIE, other.tobytes(), "strings.marisa: not a marisa trie .its strings are not numbered")


def tensors(header: object, data: bytes = b"", length: int | None = None) -> bytes:
    text = json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def tensor(kind: str, shape: list[int], start: int, end: int) -> dict[str, object]:
    return {"dtype": kind, "shape": shape, "data_offsets": [start, end]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", f"{NET}: damaged"),
        (tensors({}, length=2**63), f"{NET}: damaged"),
        (tensors({}, length=90_000_000), f"{NET}: damaged"),
        (tensors({"x\n\x1b": tensor("F32", [1], 0, 4)}, b"\0" * 4), "damaged"),
        (tensors({"x": tensor("F32", [2**32, 2**32], 0, 4)}, b"\0" * 4), f"{NET}: damaged"),
        (tensors({"x": tensor("F32", [2**62, 4], 0, 0)}), f"{NET}: damaged"),
        (tensors({"x": tensor("F32", [1], 0, 4), "y": tensor("F32", [1], 0, 4)}, b"\0" * 4), f"{NET}: damaged"),
        (tensors({"x": tensor("F32", [1], 4, 0)}, b"\0" * 4), f"{NET}: damaged"),
        (tensors({"x": tensor("BF16", [1], 0, 2)}, b"\0" * 2), f"{NET}: damaged"),
        (tensors({"x": tensor("F8_E4M3", [1], 0, 1)}, b"\0"), f"{NET}: damaged"),
    ],
)
def test_crafted_nets_are_refused(copy: Path, content: bytes, message: str) -> None:
    refuse(copy, NET, content, message)


@pytest.mark.parametrize(
    ("value", "message"), [(np.nan, "that is not finite"), (1e30, "beyond 10000"), (-1e30, "beyond 10000")]
)
def test_nets_whose_scores_would_overflow_are_refused(copy: Path, value: float, message: str) -> None:
    from safetensors.numpy import load, save

    arrays = {name: array.astype(np.float32) for name, array in load((copy / NET).read_bytes()).items()}
    arrays["out.weight"] = np.full_like(arrays["out.weight"], value)
    refuse(copy, NET, save(arrays), f"segment-1 holds a number {message}")


def test_nets_with_the_largest_numbers_still_score(copy: Path) -> None:
    from safetensors.numpy import load, save

    for name in (NET, "language_model.safetensors"):
        arrays = {key: np.full(array.shape, 1e4, np.float32) for key, array in load((copy / name).read_bytes()).items()}
        (copy / name).write_bytes(save(arrays))
    manifest = json.loads((copy / MANIFEST).read_bytes())
    manifest["weights"] = dict.fromkeys(manifest["weights"], -999_999.0)
    write_header(copy / MANIFEST, manifest)
    resign(copy)
    split = Segmenter.load(copy, device="cpu", mode="nets").nbest("Haustürschlüssel" * 3, 3)[0]
    assert "".join(split.texts) == split.word
    assert 0 <= split.probability <= 1


def test_scores_beyond_all_bounds_are_decoded() -> None:
    """A sum as large as a crafted model's weights allow would lose all but its first digits."""
    lattice = build_lattice(["haustürschlüssel"]).lattice
    for seed in range(20):
        columns = np.random.default_rng(seed).normal(scale=1e20, size=(3, lattice.edge_count)).astype(np.float32)
        sums = marginals(lattice, weigh(columns, [999_999.0, 1.0, 1e-6]))
        assert np.isfinite(sums.log_z).all()
        assert (sums.edge < 1 + 1e-6).all()


def columns(change: Callable[[dict[str, bytes]], object], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    with zipfile.ZipFile(MODEL / NPZ) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    change(entries)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of equal names
        for name, content in entries.items():
            archive.writestr(name.removesuffix("2"), content)
    return stream.getvalue()


def header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + (len(text) + 1).to_bytes(2, "little") + text.encode() + b"\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (columns(lambda x: x.update({"seen.npy2": x["seen.npy"]})), "there twice"),
        (columns(lambda x: x.update({"other.npy": b""})), "none of the lexicon's"),
        (columns(lambda x: x.pop("seen.npy")), "no column seen"),
        (columns(len, zipfile.ZIP_LZMA), "packed in another way"),
        (columns(len, zipfile.ZIP_BZIP2), "packed in another way"),
        (columns(lambda x: x.update({"seen.npy": header("__import__('os').abort()")})), "none of the arrays"),
        (columns(lambda x: x.update({"seen.npy": header("(" * 5000)})), "none of the arrays"),
        (columns(lambda x: x.update({"seen.npy": b"\x93NUMPY\x02\x00"})), "none of the arrays"),
        *((columns(lambda x, text=text: x.update({"seen.npy": header(f"{{'descr': {text}, }}")})), message)
          for text, message in (("'|O', 'fortran_order': False, 'shape': (951,)", "an array of int32"),
                                ("'<i4', 'fortran_order': False, 'shape': (99999999999999999999,)", "another size"),
                                ("'<i4', 'fortran_order': False, 'shape': (3000000000, 3000000000)", "another size"),
                                ("'<i4', 'fortran_order': False, 'shape': (-1, -1)", "none of the arrays"),
                                ("'<i4', 'fortran_order': True, 'shape': (951,)", "none of the arrays"),
                                ("[('a', '<i4')], 'fortran_order': False, 'shape': (1,)", "none of the arrays"))),
    ],
)  # fmt: skip
def test_crafted_columns_are_refused(copy: Path, content: bytes, message: str) -> None:
    refuse(copy, NPZ, content, rf"columns\.npz.*({message})")


def test_a_bomb_in_the_columns_is_not_unpacked(copy: Path) -> None:
    """Its entry claims to be as small as it should be."""
    bomb = columns(lambda x: x.update({"seen.npy": bytes(1 << 26)}))
    size = (1 << 26).to_bytes(4, "little")
    assert bomb.count(size) == 2
    (copy / NPZ).write_bytes(bomb.replace(size, (1000).to_bytes(4, "little")))
    resign(copy)
    tracemalloc.start()
    with pytest.raises(ModelError, match=r"columns\.npz: damaged"):
        Segmenter.load(copy)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 24


def test_the_columns_may_not_be_far_larger_than_the_strings_need(copy: Path) -> None:
    cuts = header("{'descr': '<i4', 'fortran_order': False, 'shape': (4194304,)}") + bytes(1 << 24)
    refuse(copy, NPZ, columns(lambda x: x.update({"cut_at.npy": cuts})), "cut_at is larger than")


def test_a_header_of_gigabytes_is_not_parsed(copy: Path) -> None:
    for name in HEADERS:
        content = (copy / name).read_bytes()
        (copy / name).write_bytes(content + b" " * MOST_BYTES)
        if name != MANIFEST:
            manifest = json.loads((MODEL / MANIFEST).read_bytes())
            manifest["files"] |= file_list(copy, [name])
            write_header(copy / MANIFEST, manifest)
        with pytest.raises(ModelError, match=rf"{name}: damaged, larger than 8,388,608 bytes"):
            Segmenter.load(copy)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("corrections",), {"abc": [3]}, "cuts that are not inside it"),
        (("corrections",), {"abc": [2, 1]}, "cuts that are not inside it"),
        (("corrections",), {"abc": [True]}, "cuts that are not inside it"),
        (("first_pass", "windows"), [[1, 99]], "windows"),
        (("first_pass", "windows"), [[1, True]], "windows"),
        (("first_pass", "windows"), [[1, 1]] * 65, "windows"),
        (("bracketing", "left half: length"), float("nan"), "not below"),
        (("bracketing", "left half: length"), True, "is no number"),
        (("weights", "count"), "1.5", "is no number"),
        (("weights", "count\n\x1b"), "1.5", "is no number"),
        (("alphabet",), "aab", "ascending"),
        (("alphabet",), "ab\ud800", "damaged"),
        (("segment_nets",), {"a\nb\x1b": [{}]}, "is not in its list of files"),
        (("language_model", "hidden"), 0, "hidden is 0"),
        (("language_model", "hidden"), -5, "hidden is -5"),
        (("language_model", "hidden"), True, "hidden is True"),
        (("version",), True, "version True"),
        (("version",), 10**4000, "version 1000"),
    ],
)
def test_crafted_manifests_are_refused(copy: Path, path: tuple[str, ...], value: object, message: str) -> None:
    manifest = json.loads((copy / MANIFEST).read_bytes())
    if len(path) == 2:
        manifest[path[0]].setdefault(path[1], 0)
    write_header(copy / MANIFEST, replaced(manifest, path, value))
    with pytest.raises(ModelError, match=message) as caught:
        Segmenter.load(copy, device="cpu")
    require_line(caught.value)
