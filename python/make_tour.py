"""make_tour.py [--check]: docs/python_tour.md and its pictures, by running the code of python/tour.py.

A comment line that starts with `# %%` begins a cell; `# %% text` lines are prose. The value of a cell's last expression
is printed, or drawn if it has _repr_svg_. With --check nothing is written: exit 1 if the page is not current.
"""

import ast
import contextlib
import io
import pathlib
import re
import sys

sys.path.pop(0)  # the folder of this file, where twofold is not built
HERE = pathlib.Path(__file__).parent
DOCS = HERE.parent / "docs"


def cells(text):
    """(prose, code) of each cell."""
    for part in re.split(r"^# %%$", text, flags=re.M)[1:]:
        lines = part.strip("\n").split("\n")
        prose = []
        while lines and lines[0].startswith("#"):
            prose.append(lines.pop(0)[1:].strip())
        yield "\n".join(prose), "\n".join(lines).strip("\n")


def run(code, scope):
    """What the cell prints, and the picture that it ends with."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    value = None
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "tour", "exec"), scope)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "tour", "eval"), scope)
            if value is not None and not hasattr(value, "_repr_svg_"):
                print(value if isinstance(value, str) else repr(value))
    return said.getvalue(), value._repr_svg_() if hasattr(value, "_repr_svg_") else None


def generate():
    """The page, and pictures by name."""
    page = ["# A tour of twofold in Python", "",
            "Made by `python/make_tour.py`, which runs the code of `python/tour.py`; a test does so again.", ""]
    pictures = {}
    scope = {}
    for prose, code in cells((HERE / "tour.py").read_text()):
        page += [prose, ""] if prose else []
        if not code:
            continue
        said, picture = run(code, scope)
        page += ["```py", code, "```", ""]
        page += ["```text", said.rstrip("\n"), "```", ""] if said else []
        if picture:
            name = f"python-tour-{len(pictures) + 1}.svg"
            pictures[name] = picture
            page += [f"![The picture that the notebook shows](pictures/{name})", ""]
    return "\n".join(page).rstrip("\n") + "\n", pictures


def main():
    page, pictures = generate()
    files = {DOCS / "python_tour.md": page, **{DOCS / "pictures" / name: text for name, text in pictures.items()}}
    if "--check" not in sys.argv[1:]:
        for path, text in files.items():
            path.write_text(text)
        return
    # Where Graphviz puts nodes depends on its version, so pictures are only looked for.
    if (DOCS / "python_tour.md").read_text() != page or not all(path.exists() for path in files):
        sys.exit("docs/python_tour.md is not current: run python/make_tour.py\n" + page)


if __name__ == "__main__":
    main()
