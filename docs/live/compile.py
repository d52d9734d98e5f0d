"""compile.py CLANG++ SOURCES FIGURE.cpp OUTPUT.js DEPFILE: a live figure as one script.

The C++ becomes WebAssembly, goes into the script as base64, and so works from a folder too. The rest of the script is
live.js and FIGURE.js. SOURCES is the folder with the library. With CLANG++ alone: fails unless it can compile for pages.
"""

import base64
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 60_000  # bytes of base64
FLAGS = [
    "--target=wasm32-wasi",
    "-std=c++20",
    "-Os",
    "-DNDEBUG",  # uBLAS's checks would bring iostreams and 190 kB
    "-ffp-contract=off",
    "-mexec-model=reactor",
    "-Wl,--strip-all",
]


def boost(clang):
    """The folder of Boost's headers. The folder around it holds the wrong C library."""
    found = subprocess.run(
        [clang, "-E", "-x", "c++", "-include", "boost/version.hpp", "/dev/null"],
        capture_output=True,
        text=True,
        check=True,
    )
    return next(line.split('"')[1] for line in found.stdout.splitlines() if 'boost/version.hpp"' in line).rsplit("/", 1)[0]


def wasm(clang, sources, figure, depfile=None, output="figure.wasm"):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "boost").symlink_to(boost(clang))
        result = pathlib.Path(folder) / "figure.wasm"
        dependencies = ["-MD", "-MF", str(depfile), "-MT", str(output)] if depfile else []
        command = [clang, *FLAGS, "-isystem", folder, "-I", str(sources), *dependencies, str(figure), "-o", str(result)]
        subprocess.run(command, check=True)
        code = result.read_bytes()
    if depfile:  # without the private folder, which is gone
        text = pathlib.Path(depfile).read_text(encoding="utf-8")
        kept = [part for part in text.replace("\\\n", " ").split() if not part.startswith(folder)]
        pathlib.Path(depfile).write_text(" ".join(kept) + "\n", encoding="utf-8")
    return code


def main():
    clang = sys.argv[1]
    if len(sys.argv) == 2:
        with tempfile.TemporaryDirectory() as folder:
            probe = pathlib.Path(folder) / "probe.cpp"
            probe.write_text("#include <boost/version.hpp>\n#include <vector>\n#include <cmath>\n", encoding="utf-8")
            wasm(clang, HERE, probe)
        return
    sources, figure, output, depfile = map(pathlib.Path, sys.argv[2:6])
    code = base64.b64encode(wasm(clang, sources, figure, depfile, output)).decode()
    if len(code) > LARGEST:
        raise SystemExit(f"{figure}: {len(code)} bytes of base64 are more than {LARGEST}")
    parts = ["(() => {\n'use strict';\n", f'const wasm = "{code}";\n']
    parts += [(HERE / "live.js").read_text(encoding="utf-8"), figure.with_suffix(".js").read_text(encoding="utf-8")]
    output.write_text("".join(parts) + "})();\n", encoding="utf-8")


main()
