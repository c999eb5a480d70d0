"""Stubs, examples, documents and the wheel."""

import ast
import doctest
import inspect
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import venv

import pytest

import twofold
import twofold._evaluation
import twofold._graphs
import twofold._learners

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE = pathlib.Path(twofold.__file__).parent


@pytest.mark.parametrize("name", ["twofold", "twofold.wl", "twofold._graphs", "twofold._evaluation", "twofold._learners"])
def test_examples_in_docstrings(name):
    pytest.importorskip("networkx")
    finder = doctest.DocTestFinder(recurse=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    module = sys.modules[name]
    for test in finder.find(module, name):
        if "from_smiles" in test.name:
            pytest.importorskip("rdkit")
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("kind", [*twofold._kernels.KERNELS.values(), *twofold._learners.LEARNERS.values()],
                         ids=lambda kind: kind.__name__)
def test_examples_of_made_classes(kind):
    pytest.importorskip("networkx")
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(kind.__doc__, {}, kind.__name__, None, 0))
    assert runner.failures == 0 and (runner.tries > 0 or kind.__name__.endswith("Regressor"))


def test_the_stubs_are_current():
    done = subprocess.run([sys.executable, ROOT / "python" / "make_stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def parameters_of(function):
    return [name for name in inspect.signature(function).parameters]


@pytest.mark.parametrize("file, module", [("__init__.pyi", twofold), ("wl.pyi", twofold.wl)])
def test_the_stubs_say_what_is_there(file, module):
    def names(node):
        arguments = node.args
        rest = [arguments.vararg] if arguments.vararg else []
        last = [arguments.kwarg] if arguments.kwarg else []
        return [one.arg for one in [*arguments.posonlyargs, *arguments.args, *rest, *arguments.kwonlyargs, *last]]

    seen = set()
    for node in ast.parse((PACKAGE / file).read_text()).body:
        if isinstance(node, ast.FunctionDef):
            seen.add(node.name)
            assert names(node) == parameters_of(getattr(module, node.name)), node.name
        if isinstance(node, ast.ClassDef):
            seen.add(node.name)
            kind = getattr(module, node.name, None) or getattr(twofold._learners, node.name, None) or getattr(
                twofold._kernels, node.name)
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    there = inspect.getattr_static(kind, method.name)
                    if isinstance(there, property):
                        continue
                    there = getattr(there, "__func__", there)
                    assert names(method) == parameters_of(there), f"{node.name}.{method.name}"
    assert set(module.__all__) - {"wl"} <= seen


def blocks(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.S)


def test_the_code_of_the_documentation_runs(tmp_path, monkeypatch):
    for package in ("networkx", "sklearn", "rdkit"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    scope = {}
    found = blocks("python.md")
    assert len(found) >= 5
    for block in found:
        if ">>>" in block:
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            test = doctest.DocTestParser().get_doctest(block, scope, "python.md", None, 0)
            runner.run(test, clear_globs=False)
            scope.update(test.globs)
            assert runner.failures == 0, block
        else:
            exec(block, scope)


def test_the_tour_is_current():
    for package in ("networkx", "sklearn"):
        pytest.importorskip(package)
    done = subprocess.run([sys.executable, ROOT / "python" / "make_tour.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pip_installs_the_wheel_into_a_clean_environment(tmp_path):
    if sys.prefix != sys.base_prefix or "LD_PRELOAD" in os.environ:
        pytest.skip("within an environment, or under a sanitizer")
    made = subprocess.run([sys.executable, ROOT / "python" / "make_wheel.py", PACKAGE, tmp_path, twofold.__version__],
                          capture_output=True, text=True, check=True).stdout.strip()
    assert pathlib.Path(made).name == f"twofold-{twofold.__version__}-cp{sysconfig.get_config_var('py_version_nodot')}-" \
        f"cp{sysconfig.get_config_var('py_version_nodot')}-{sysconfig.get_platform().replace('-', '_')}.whl"
    plain = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    venv.create(tmp_path / "env", system_site_packages=True, with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", made], env=plain, check=True,
                   cwd=tmp_path)
    code = """
import twofold, pathlib
assert "env" in pathlib.Path(twofold.__file__).parts
graphs = twofold.Graphs.load("TRIANGLE")
print(twofold.WLSubtree(1).fit_transform(graphs).shape, (pathlib.Path(twofold.__file__).parent / "py.typed").exists())
"""
    said = subprocess.run([python, "-c", code], env=plain, capture_output=True, text=True, cwd=tmp_path)
    assert said.stdout == "(228, 228) True\n", said.stderr
    subprocess.run([python, "-m", "pip", "uninstall", "--yes", "--quiet", "twofold"], env=plain, check=True, cwd=tmp_path)
    assert subprocess.run([python, "-c", "import twofold"], env=plain, capture_output=True, cwd=tmp_path).returncode == 1
