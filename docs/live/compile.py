"""compile.py CLANG++ SOURCES FIGURE.cpp OUTPUT.js DEPFILE: a live figure as one script.

The C++ becomes WebAssembly, goes into the script as base64, and so works from a folder too. The rest of the script is
live.js and FIGURE.js. SOURCES is the folder with the library. With CLANG++ alone: fails unless it can compile for pages.

A line `// data X: chapters/NAME/X.csv` of FIGURE.js puts a table (.csv) or a picture (.pgm) of the repository into the
script, as data.X: its shape, its names of rows and columns where it has them, and its numbers, in base64.
"""

import base64
import csv
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 60_000  # bytes of a script
FLAGS = [
    "--target=wasm32-wasi",
    "-std=c++20",
    "-Oz",
    "-flto",
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


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def table(path):
    """A CSV file as its numbers, row by row. A header and a first column of names are told by not being numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    columns = rows.pop(0) if not all(map(is_number, rows[0])) else []
    names = [row.pop(0) for row in rows] if not is_number(rows[0][0]) else []
    if names:
        columns = columns[1:]
    return len(rows), len(rows[0]), [float(x) for row in rows for x in row], {"row_names": names, "column_names": columns}


def picture(path):
    """A binary PGM file as its grey values from 0 to 1."""
    code = path.read_bytes()
    header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+(\d+)\s", code)
    if not header or int(header[3]) > 255:
        raise SystemExit(f"{path}: not a picture of type P5 with one byte a pixel")
    width, height, white = map(int, header.groups())
    return height, width, [grey / white for grey in code[header.end() :]], {}


def data(script, root):
    """What the script asks for: {name: matrix}, and the files."""
    matrices, files = {}, []
    for name, file in re.findall(r"^// data (\w+): (\S+)$", script, flags=re.MULTILINE):
        files.append(root / file)
        rows, columns, numbers, names = (picture if file.endswith(".pgm") else table)(files[-1])
        if len(numbers) != rows * columns:
            raise SystemExit(f"{files[-1]}: {len(numbers)} numbers are not {rows}x{columns}")
        code = base64.b64encode(struct.pack(f"<{len(numbers)}d", *numbers)).decode()
        matrices[name] = {"rows": rows, "columns": columns, "numbers": code} | names
    return matrices, files


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
    script = figure.with_suffix(".js").read_text(encoding="utf-8")
    matrices, files = data(script, HERE.parent.parent)
    known = depfile.read_text(encoding="utf-8").rstrip()
    depfile.write_text(" ".join([known, *map(str, files)]) + "\n", encoding="utf-8")
    parts = ["(() => {\n'use strict';\n", f'const wasm = "{code}";\nconst data = {json.dumps(matrices)};\n']
    parts += [(HERE / "live.js").read_text(encoding="utf-8"), script]
    whole = ("".join(parts) + "})();\n").encode()
    if len(whole) >= LARGEST:
        raise SystemExit(f"{figure}: a script of {len(whole)} bytes is too large: less than {LARGEST} are allowed")
    output.write_bytes(whole)


main()
