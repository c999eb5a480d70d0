"""make_wheel.py PACKAGE FOLDER VERSION: a wheel of the built package (build/PRESET/python/twofold), by zipfile alone.

The same files give the same bytes. Prints the wheel's path.
"""

import base64
import hashlib
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

METADATA = """Metadata-Version: 2.1
Name: twofold
Version: {version}
Summary: Higher-order Weisfeiler-Leman graph learning: the 2-WL-GNN, graph kernels and exact WL tests
License: see LICENSE
Requires-Python: >=3.9
Requires-Dist: numpy
Requires-Dist: scipy
Provides-Extra: all
Requires-Dist: scikit-learn ; extra == 'all'
Requires-Dist: networkx ; extra == 'all'
Requires-Dist: pandas ; extra == 'all'
Requires-Dist: tqdm ; extra == 'all'
Description-Content-Type: text/markdown

twofold tells graphs apart beyond the 1-WL test, exactly, and learns from them on an ordinary CPU. See docs/python.md.
"""


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def stripped(path):
    """The module without debug information, which is nine tenths of it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / path.name
        subprocess.run(["strip", "--strip-unneeded", "-o", str(copy), str(path)], check=True)
        return copy.read_bytes()


def main(package, folder, version):
    package, folder = pathlib.Path(package), pathlib.Path(folder)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    python = "cp" + sysconfig.get_config_var("py_version_nodot")
    tag = f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    about = f"twofold-{version}.dist-info"
    files = {f"twofold/{path.name}": path.read_bytes() for path in package.iterdir()
             if path.suffix in (".py", ".pyi") or path.name == "py.typed"}
    module = package / f"_core{suffix}"
    files[f"twofold/{module.name}"] = stripped(module)
    files[f"{about}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: twofold\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = [f"{name},{digest(data)},{len(data)}" for name, data in sorted(files.items())]
    files[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"twofold-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


if __name__ == "__main__":
    main(*sys.argv[1:])
