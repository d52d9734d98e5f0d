"""build.py BUILD [OUTPUT] [LIVE.js...]: builds the site into OUTPUT, by default BUILD/site.

Checks that pages, laws and tests belong together, runs Doxygen, finishes its pages and adds MathJax and the live
figures. Whatever is wrong is said as `file:line: error: ...`, and the site is not built.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import code_filter
from book import Book
from finish import Finisher
from translate import Translation

MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
NEEDED_OF_MATHJAX = [
    "MathJax.js",
    "config/TeX-AMS_CHTML-full.js",
    "extensions",
    "jax/input/TeX",
    "jax/output/CommonHTML",
    "jax/element",
    "fonts/HTML-CSS/TeX/woff",
]
THEME = ["book.js", "theme.js"]


def stop(messages):
    print("\n".join(messages), file=sys.stderr)
    raise SystemExit(1)


def require_packages():
    needed = {"doxygen": shutil.which("doxygen"), "libjs-mathjax": (MATHJAX / "MathJax.js").exists()}
    needed["doxygen-awesome-css"] = pathlib.Path("/usr/share/doxygen-awesome-css/doxygen-awesome.css").exists()
    missing = [package for package, found in needed.items() if not found]
    if missing:
        stop(["site: these packages are missing: " + " ".join(missing)])


def translate(book, work):
    """Every page and source as Doxygen is to read it. Returns what is wrong with them."""
    errors = book.problems()

    def write(path, lines):
        target = work / "translated" / path.relative_to("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")

    for page in book.pages.values():
        translation = Translation(page, book)
        errors += translation.errors
        write(page.path, translation.lines)
    sources = "src/**/*.hpp tests/*.hpp tests/*.cpp chapters/**/*.hpp chapters/**/*.cpp docs/*.cpp docs/floating_point/*.?pp docs/own_hand/*.cpp"
    for pattern in sources.split():
        for path in book.root.glob(pattern):
            write(path, code_filter.translated(path, book))
            if pattern.startswith("src"):
                errors += code_filter.undocumented(path)
    namespaces = book.root / "docs" / "namespaces.dox"
    write(namespaces, [namespaces.read_text(encoding="utf-8")])
    return errors


def run_doxygen(book, work):
    """Doxygen's pages in work/html."""
    environment = dict(os.environ, MULTIHEAD_SITE_WORK=str(work), MULTIHEAD_BUILD=str(book.build))
    run = subprocess.run(
        ["doxygen", "Doxyfile"], cwd=book.root, env=environment, text=True, capture_output=True, check=False
    )
    if run.returncode != 0:
        stop([run.stdout + run.stderr, "site: Doxygen failed"])


def copy_mathjax(site):
    for name in NEEDED_OF_MATHJAX:
        target = site / "mathjax" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (MATHJAX / name).is_dir():
            shutil.copytree(MATHJAX / name, target)
        else:
            shutil.copy(MATHJAX / name, target)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    site = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else build / "site"
    live = [pathlib.Path(name).resolve() for name in sys.argv[3:]]
    require_packages()
    book = Book(build)
    work = site.with_name(site.name + ".work")
    shutil.rmtree(work, ignore_errors=True)
    errors = translate(book, work)
    if errors:
        stop(errors + [f"site: {len(errors)} errors"])
    run_doxygen(book, work)
    html = work / "html"
    for name in THEME:
        shutil.copy(book.root / "docs" / "theme" / name, html)
    for script in live:
        shutil.copy(script, html)
    errors = Finisher(book, html, work / "tags.xml", {script.stem for script in live}).finish()
    if errors:
        stop(errors + [f"site: {len(errors)} errors"])
    copy_mathjax(html)
    shutil.rmtree(site, ignore_errors=True)
    html.rename(site)
    shutil.rmtree(work)
    print(f"site: open {site}/index.html")


main()
