"""The arrows of the design, held by reading imports: data flows one way, and torch stays in its rooms."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FLOW = ["lexicon", "hybrid.lattice", "hybrid.evidence", "hybrid.scorers", "hybrid.columns", "hybrid.decoding",
        "hybrid.labelling.lattice", "hybrid.labelling.columns", "hybrid.labelling.tagger", "hybrid.segmenter",
        "hybrid.doubts", "hybrid.contest", "hybrid.cli"]  # fmt: skip
"""Each may import what stands before it, and none what stands after."""

TORCH = {"hybrid.networks", "hybrid.inference", "hybrid.training"}
TORCH |= {f"hybrid.labelling.{room}" for room in ("networks", "inference", "training", "loop", "learning", "vectors")}
TORCH |= {f"hybrid.labelling.{room}" for room in ("pooling", "linear", "combining", "training_texts",
                                                  "classifier_learning")}  # fmt: skip


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


MODULES = {module_name(path): path for package in ("hybrid", "lexicon") for path in (ROOT / package).rglob("*.py")}


def imports(path: Path, *, lazily: bool) -> set[str]:
    """Return the modules that a file imports; with `lazily`, also those imported inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree)) if lazily else [n for top in tree.body for n in _without_functions(top)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def _without_functions(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.FunctionDef) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
        return []
    return [node, *(found for child in ast.iter_child_nodes(node) for found in _without_functions(child))]


def test_the_test_sees_the_modules() -> None:
    assert {*FLOW, "hybrid.networks", "lexicon.store"} <= set(MODULES)
    assert "lexicon.mining" in imports(MODULES["hybrid.lattice"], lazily=False)
    assert "torch" in imports(MODULES["hybrid.networks"], lazily=False)


@pytest.mark.parametrize("module", sorted(MODULES))
def test_only_the_nets_rooms_import_torch(module: str) -> None:
    found = any(name == "torch" or name.startswith("torch.") for name in imports(MODULES[module], lazily=True))
    if found:
        assert any(module == room or module.startswith(f"{room}.") for room in TORCH)


@pytest.mark.parametrize("module", sorted(m for m in MODULES if m.startswith("lexicon")))
def test_the_lexicon_stands_alone(module: str) -> None:
    roots = {name.split(".")[0] for name in imports(MODULES[module], lazily=True)}
    assert not roots & {"hybrid", "torch", "numba"}


@pytest.mark.parametrize("module", FLOW[1:])
def test_data_flows_one_way(module: str) -> None:
    later = set(FLOW[FLOW.index(module) + 1 :])
    assert not imports(MODULES[module], lazily=True) & later


def test_kernels_know_nothing_of_words() -> None:
    found = imports(MODULES["hybrid.kernels"], lazily=True)
    assert {name for name in found if name.startswith("hybrid")} == {"hybrid.compiling", "hybrid.compiling.compiled"}
    assert {name.split(".")[0] for name in found} == {"math", "collections", "functools", "typing", "numpy", "hybrid"}


def test_only_compiling_and_training_import_numba() -> None:
    found = {module for module, path in MODULES.items() if "numba" in imports(path, lazily=True)}
    assert found == {"hybrid.compiling"}


UNSAFE = {
    "torch.load",
    "torch.save",
    "torch.jit.load",
    "np.load",
    "numpy.load",
    "eval",
    "exec",
    "compile",
    "__import__",
}


def test_no_pickle_anywhere() -> None:
    for path in MODULES.values():
        assert not imports(path, lazily=True) & {"pickle", "joblib", "marshal", "shelve", "dill", "cloudpickle"}
        assert unsafe_calls(ast.parse(path.read_text(encoding="utf-8"))) == set(), path


def test_unsafe_calls_are_seen() -> None:
    source = "import torch\ntorch.load(x)\nnp.load(x, allow_pickle=True)\neval('1')\nx.load(y)\nre.compile('x')"
    assert unsafe_calls(ast.parse(source)) == {"torch.load", "np.load", "eval"}


def unsafe_calls(tree: ast.AST) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)} & UNSAFE


def test_every_public_function_and_class_is_documented() -> None:
    missing = [
        f"{name}.{node.name}"
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and not _is_nested(path, node)
    ]
    assert missing == []


def _is_nested(path: Path, node: ast.AST) -> bool:
    for outer in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(outer, ast.FunctionDef) and any(
            getattr(inner, "lineno", 0) == node.lineno and inner is not outer for inner in ast.walk(outer)
        ):
            return True
    return False


def test_every_package_is_installed() -> None:
    import tomllib

    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    there = {".".join(path.parent.relative_to(ROOT).parts) for path in MODULES.values()}
    assert set(configuration["tool"]["setuptools"]["packages"]) == there
