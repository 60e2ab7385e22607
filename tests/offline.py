"""Do all that the product does, and tell what it asked of network and programs: `python -m tests.offline FOLDER`."""

import json
import sys
from dataclasses import replace
from pathlib import Path

NETWORK = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind", "socket.sendto",
           "urllib.Request", "http.client.connect", "ftplib.connect", "smtplib.connect"}  # fmt: skip
PROGRAMS = {
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "pty.spawn",
}
CODE = {"pickle.find_class"}  # marshal.loads is not among them: each import of a module is one

asked: list[list[str]] = []


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """Forbid, and remember."""
    if event not in NETWORK | PROGRAMS | CODE:
        return
    frame, modules = sys._getframe(1), []
    while frame is not None:
        modules.append(frame.f_globals.get("__name__", "?"))
        frame = frame.f_back
    asked.append([event, repr(arguments)[:200], *dict.fromkeys(modules)])
    if event not in CODE:
        raise PermissionError(f"{event} is not allowed here")


sys.addaudithook(watch)


def main(folder: Path) -> None:
    split_in_all_modes()
    corpora(folder)
    training(folder)
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")


def split_in_all_modes() -> None:
    import hybrid

    for mode in ("cascade", "fast", "nets"):
        segmenter = hybrid.load(mode=mode)
        for word in ("Autobahnanschlussstelle", "Quxblorfzaun", "Haustür"):
            segmenter.split(word)
        segmenter.split_parts(["Wandhalterung", "Zwirbelknack"])
        segmenter.nbest("Wachstube", 3)
        list(segmenter.split_text("Die Arbeitsagentur zahlt Kindergeld."))
        segmenter.explain("Staubecken").to_svg()


def run(*arguments: object) -> None:
    from hybrid.cli import main as cli

    assert cli([str(argument) for argument in arguments]) == 0, arguments


def corpora(folder: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    (folder / "words.txt").write_text("Haustür\nKindergeld\n", encoding="utf-8")
    run("split-corpus", folder / "words.txt", folder / "out.txt.gz")
    run("export-search", folder / "words.txt", "--for", "solr", "--as", "word-list", "--out", folder / "search")
    pyarrow.parquet.write_table(pyarrow.table({"noun": ["Haustür"]}), folder / "words.parquet")
    run("split-corpus", folder / "words.parquet", folder / "out.parquet", "--column", "noun")


def training(folder: Path) -> None:
    from hybrid import Segmenter
    from tests.conftest import TINY, silver

    model = folder / "model"
    config = replace(TINY, lexicon_nets=1, lexicon_epochs=1, character_epochs=1, language_epochs=1)
    Segmenter.train(silver("train", 60), config=config).save(model)
    for name in ("val", "test"):
        (folder / f"{name}.json").write_text(json.dumps(silver(name, 20)), encoding="utf-8")
    run("submit", folder, "--model", model, "--out", folder / "submission.zip")
    run("evaluate", folder / "val.json", folder / "val.json")
    run("explain", "Haustür", "--model", model, "--svg", folder / "word.svg")
    run("lexicon", "export", model, "--out", folder / "table.tsv")
    run("lexicon", "import", folder / "table.tsv", "--model", model, "--out", folder / "edited")
    Segmenter.load(folder / "edited").split("Haustür")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
