"""What the book consists of, read from its files: chapters, laws, tests, wrong hands, results of the test run."""

import dataclasses
import json
import pathlib
import re

from text import margin_text

ROOT = pathlib.Path(__file__).resolve().parents[2]

LAW_BOX = re.compile(r"> \*\*(Law|Definition) (\d+\.\d+)\*\* \[([a-z0-9-]+)\]\(([^)\s]+)\)\.?\s*(.*)")
WORLDS = {"R": "real", "F": "free", "H": "homomorphic"}  # as a law claims them
EXERCISE = re.compile(r"\*\*Exercise (\d+\.\d+)\*\*")


@dataclasses.dataclass
class Page:
    """A Markdown file of the site."""

    path: pathlib.Path
    label: str  # its name in Doxygen, and of its HTML file
    title: str
    number: int | None = None  # of a chapter
    assumes: list = dataclasses.field(default_factory=list)  # numbers of chapters
    summary: str = ""  # the first paragraph

    @property
    def file(self):
        return "index.html" if self.label == "mainpage" else self.label + ".html"


@dataclasses.dataclass
class Law:
    """A law object in src/multihead/laws."""

    number: str
    name: str
    struct: str
    worlds: str  # R, RF, ...
    statement: str  # the object's comment
    functions: list  # of a hand, that it asks
    path: pathlib.Path
    line: int

    @property
    def id(self):
        return self.number + " " + self.name


@dataclasses.dataclass
class Test:
    """A test case."""

    name: str
    path: pathlib.Path
    line: int


@dataclasses.dataclass
class Refutation:
    """A wrong hand."""

    name: str
    rejected: list  # numbers of the laws that reject it
    path: pathlib.Path
    line: int


def anchor(kind, number):
    """The anchor of `law 1.2` or `exercise 1.2`."""
    return kind + "_" + number.replace(".", "_")


def slug(heading):
    """The anchor that git hosts give to a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def in_order(number):
    """Sorts 1.2 before 1.10."""
    return [int(part) for part in number.split(".")]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def chapter(path):
    """A chapter's page, with what it says about itself."""
    text = path.read_text(encoding="utf-8")
    number = int(path.parent.name[:2])
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    said = re.search(r"\bassumes\b([^.]*)", " ".join(paragraphs))
    assumed = re.findall(r"\b\d+\b", re.sub(r"\]\([^)]*\)", "]", said.group(1))) if said else []
    summary = next((text for text in paragraphs if text and text[0] not in "#!<>`$"), "")
    return Page(
        path,
        "chapter-" + path.parent.name,
        title_of(path),
        number,
        sorted({int(other) for other in assumed if int(other) < number}),
        summary,
    )


def title_of(path):
    """The first heading of a page, without the number of a chapter."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return re.sub(r"^\d+\.\s+", "", line[2:].strip())
    return path.parent.name


class Book:
    """Everything, read once."""

    def __init__(self, build=None, root=ROOT):
        self.root = root
        self.build = build  # the build directory, where figures and laws.json may be
        self.kept = []  # pieces of HTML that pages get when Doxygen is done, see keep()
        self.chapters = [chapter(path) for path in sorted(root.glob("chapters/[0-9][0-9]-*/README.md"))]
        self.documents = [
            Page(path, path.stem, title_of(path))
            for path in sorted(root.glob("docs/*.md"))
            if path.name != "README.md"
        ]
        self.pages = {page.path: page for page in self.chapters + self.documents}
        self.laws = self._laws()
        self.tests = self._tests()
        self.refutations = self._refutations()
        self.boxes = self._boxes()
        self.exercises = self._exercises()
        self.results = self._results()

    def _laws(self):
        laws = {}
        pattern = re.compile(
            r"((?:[ \t]*///[^\n]*\n)+)struct (\w+) \{\s*static constexpr Id id\{\"([\d.]+)\", \"([\w-]+)\"\};"
            r"(.*?)\n\};",
            re.DOTALL,
        )
        for path in sorted(self.root.glob("src/multihead/laws/*.hpp")):
            text = path.read_text(encoding="utf-8")
            for found in pattern.finditer(text):
                comment, struct, number, name, body = found.groups()
                statement = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
                statement = re.sub(r"^\d+\.\d+:\s*", "", statement)
                worlds = re.search(r"Worlds worlds = (\w+);", body)
                functions = list(dict.fromkeys(re.findall(r"\bhand\.(\w+)\(", body)))
                line = line_of(text, found.start(2))
                laws[number] = Law(
                    number, name, struct, worlds.group(1) if worlds else "", statement, functions, path, line
                )
        return dict(sorted(laws.items(), key=lambda item: in_order(item[0])))

    def _tests(self):
        tests = {}
        for path in sorted(self.root.glob("tests/*.cpp")):
            text = path.read_text(encoding="utf-8")
            for found in re.finditer(r"^TEST_CASE\(\"([^\"]+)\"", text, re.MULTILINE):
                tests[found.group(1)] = Test(found.group(1), path, line_of(text, found.start()))
        return tests

    def _refutations(self):
        refutations = []
        for path in sorted(self.root.glob("tests/wrong_*.cpp")):
            text = path.read_text(encoding="utf-8")
            for found in re.finditer(r"refutation(?:_in_reals)?<(\w+)>\(\s*\"([^\"]+)\",\s*\{([^}]*)\}", text):
                struct, name, numbers = found.groups()
                defined = re.search(r"struct " + struct + r"\b", text)
                line = line_of(text, (defined or found).start())
                refutations.append(Refutation(name, re.findall(r"\"([\d.]+)\"", numbers), path, line))
        return refutations

    def _boxes(self):
        """Where each law stands: number -> (page, line, kind, name)."""
        boxes = {}
        for page in self.pages.values():
            for line, text in enumerate(page.path.read_text(encoding="utf-8").splitlines(), 1):
                found = LAW_BOX.match(text)
                if found:
                    boxes.setdefault(found.group(2), []).append((page, line, found.group(1), found.group(3)))
        return boxes

    def _exercises(self):
        return {
            number
            for page in self.pages.values()
            for number in EXERCISE.findall(page.path.read_text(encoding="utf-8"))
        }

    def keep(self, html):
        """A mark for a piece of HTML that may be too long for Doxygen. Doxygen's page will have the piece in its place."""
        self.kept.append(html)
        return f"<!--kept {len(self.kept) - 1}-->"

    def _results(self):
        """What the last test run wrote, by number of the law; nothing if there was none."""
        path = self.build / "laws.json" if self.build else None
        if not path or not path.is_file():
            return {}
        try:
            written = json.loads(path.read_text(encoding="utf-8"))
            return {str(law["number"]): law for law in written["laws"]}
        except (ValueError, TypeError, KeyError) as error:
            raise SystemExit(f"{path}: error: these are no results of laws: {error!r}") from error

    def margins(self, number):
        """How far each wrong hand was from passing a law: name -> margin as it stands on a page."""
        refutations = self.results.get(number, {}).get("refutations", [])
        return {wrong.get("name"): margin_text(wrong.get("margin")) for wrong in refutations}

    def problems(self):
        """What keeps pages, law objects and tests from being one, and exercises without a solution: a list of messages."""
        found = []

        def report(path, line, message):
            found.append(f"{path}:{line}: error: {message}")

        for page in self.pages.values():
            text = page.path.read_text(encoding="utf-8")
            exercises = [*re.finditer(rf"^{EXERCISE.pattern}", text, re.MULTILINE)]
            for exercise, end in zip(exercises, [*(e.start() for e in exercises[1:]), len(text)]):
                number, part = exercise.group(1), text[exercise.start() : end]
                if number.split(".")[0] != str(page.number or 0):
                    report(page.path, line_of(text, exercise.start()), f"exercise {number} is not one of this page")
                if not re.search(r"<details>\s*<summary>Solution</summary>.*</details>", part, re.DOTALL):
                    report(page.path, line_of(text, exercise.start()), f"exercise {number} has no solution")

        written = {"0"} | {str(page.number) for page in self.chapters}
        for number, boxes in self.boxes.items():
            page, line, _, name = boxes[0]
            law = self.laws.get(number)
            if law is None:
                report(page.path, line, f"law {number} {name} has no law object in src/multihead/laws")
            elif law.name != name:
                report(page.path, line, f"law {number} is called {name} here, but {law.name} in {law.path.name}")
            for again, at, _, _ in boxes[1:]:
                report(again.path, at, f"law {number} stands already in {page.path}:{line}")
        for law in self.laws.values():
            if law.id not in self.tests:
                report(law.path, law.line, f'law {law.id} has no TEST_CASE("{law.id}")')
            if law.number not in self.boxes and law.number.split(".")[0] in written:
                report(law.path, law.line, f"law {law.id} is on no page")
        for test in self.tests.values():
            if re.match(r"\d+\.\d+ ", test.name) and test.name not in {law.id for law in self.laws.values()}:
                report(test.path, test.line, f"there is no law object called {test.name}")
        for wrong in self.refutations:
            for number in wrong.rejected:
                if number not in self.laws:
                    report(wrong.path, wrong.line, f"law {number}, which should reject “{wrong.name}”, does not exist")
        return found
