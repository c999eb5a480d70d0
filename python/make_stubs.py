"""make_stubs.py [--check]: python/twofold/__init__.pyi, of stubs.pyi.in and the table of options.

The classes of kernels and learners are made from the table when twofold is imported; their stubs are made here, by the
built package (PYTHONPATH=build/dev/python). With --check nothing is written: exit 1 if the file is not current.
"""

import pathlib
import sys

sys.path.pop(0)  # the folder of this file, where twofold is not built
import twofold
from twofold import _core
from twofold._estimator import _SHARED

HERE = pathlib.Path(__file__).parent
TYPES = {"bool": "bool", "integer": "int", "real": "float", "text": "str", "radius": 'int | Literal["all"]'}
SHARED = {"validation": "float", "seed": "int", "split_seed": "int", "threads": "int", "max_memory": "int",
          "progress": "bool | Callable[[dict[str, Any]], object] | None"}


def type_of(row):
    if row.get("kind") == "word":
        return "Literal[" + ", ".join(f'"{word}"' for word in row["words"]) + "]"
    return TYPES[row["kind"]]


def class_text(name, kind, rows):
    by_name = {row["keyword"]: row for row in rows}
    is_positional = kind.__mro__[1].__name__ == "Kernel"
    lines = [f"class {name}({kind.__mro__[1].__name__}):"]
    fields, arguments = [], []
    for key, default in zip(kind._parameters, kind._defaults):
        if key in by_name:
            text = type_of(by_name[key])
            if default is None:
                text += " | None"
        else:
            text = SHARED[key]
        fields.append(f"    {key}: {text}")
        arguments.append(f"        {key}: {text} = ...,")
    star = [] if is_positional else ["        *,"]
    return "\n".join([*lines, *fields, "    def __init__(", "        self,", *star, *arguments, "    ) -> None: ..."])


def generate():
    parts = [(HERE / "stubs.pyi.in").read_text().rstrip()]
    models = {model["name"]: model["options"] for model in _core.models()}
    for name, kind in twofold._kernels.KERNELS.items():
        parts.append(class_text(name, kind, models[kind._kernel]))
    for name, kind in twofold._learners.LEARNERS.items():
        if name == "KernelClassifier":
            rows = [{"keyword": "kernel", "kind": "word", "words": list(twofold._learners._KERNEL_OPTIONS)}]
            rows += [row for word in twofold._learners._KERNEL_OPTIONS for row in models[word]]
        else:
            rows = models[kind._model]
        parts.append(class_text(name, kind, rows))
    return "\n\n".join(parts) + "\n"


def main():
    assert set(SHARED) == set(_SHARED)
    target = HERE / "twofold" / "__init__.pyi"
    text = generate()
    if "--check" in sys.argv[1:]:
        if not target.exists() or target.read_text() != text:
            sys.exit(f"{target.name} is not current: run python/make_stubs.py")
        return
    target.write_text(text)


if __name__ == "__main__":
    main()
