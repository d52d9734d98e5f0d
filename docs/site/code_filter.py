"""C++ sources as Doxygen reads them, line for line.

`law 1.2` in a comment becomes a link. Of tests and programs only the test cases are shown, as documented functions; the
rest of these files can be read in the source browser.
"""

import itertools
import re

from book import anchor

TEST_CASE = re.compile(r'^TEST_CASE\("([^"]+)"[^)]*\)')
LAW = re.compile(r"\b([Ll]aws?) (\d+\.\d+)")
STATEMENT = re.compile(r"^(\s*/// )(\d+\.\d+):")
DEDUCTION_GUIDE = re.compile(r"^\w+\(.*\) -> \w+<.*>;")
DECLARATION = re.compile(r"^(template|struct|class|enum|union|concept|inline|constexpr|using \w+ =|[\w:]+(<.*>)?[&*]? \w+\()")
SPECIALISED = re.compile(r"^(struct|class|inline constexpr bool) \w+<")

HIDE = "/** \\cond */ "
SHOW = "/** \\endcond */ "


def test_function(name):
    """A name for a test case as a function."""
    return "test_" + re.sub(r"\W+", "_", name)


def translated(path, book):
    """The lines of a source file, translated."""
    lines = path.read_text(encoding="utf-8").splitlines()
    lines = [_linked(line, book) for line in lines]
    if path.is_relative_to(book.root / "src"):
        return _without_tables(_without_guides(lines))
    return _only_tests(lines, book)


def undocumented(path):
    """Names at the level of a namespace that no `///` comment explains, as messages."""
    found = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else ""
        if not DECLARATION.match(line) or "///<" in line or DEDUCTION_GUIDE.match(after) or SPECIALISED.match(after):
            continue
        before = [text for text in lines[:at] if text.strip() and not re.match(r"// \[\w+\]", text)]
        last = before[-1] if before else ""
        if not last.startswith(("///", "template", "requires", "    ")) and not re.match(r"struct \w+;", line):
            found.append(f"{path}:{at + 1}: error: this has no comment that begins with ///: {line}")
    return found


def _linked(line, book):
    if not re.match(r"\s*///|.*///<", line):
        return line
    line = STATEMENT.sub(lambda found: _statement(found, book), line)
    line = LAW.sub(lambda found: _law(found, book), line)
    return re.sub(r"\bEquation (?=\()", "%Equation ", line)  # equation (1), not the type


def _statement(found, book):
    begin, number = found.groups()
    law = book.laws.get(number)
    if law is None:
        return found.group(0)
    if number in book.boxes:
        return rf'{begin}\ref {anchor("law", number)} "Law {law.id}":'
    return f"{begin}Law {law.id}:"


def _law(found, book):
    word, number = found.groups()
    if number not in book.boxes or found.string[: found.start()].endswith('"'):
        return found.group(0)
    return rf'\ref {anchor("law", number)} "{word} {number}"'


def _without_guides(lines):
    """Deduction guides are no names of their own."""
    for at, line in enumerate(lines):
        if DEDUCTION_GUIDE.match(line) and at > 0:
            lines[at - 1] = HIDE + lines[at - 1]
            lines[at] = line + " " + SHOW
    return lines


def _without_tables(lines):
    """Names that would be linked where others are meant: the tuples of laws, called like functions, and the worlds of one
    letter, called like template parameters."""
    at = 0
    while at < len(lines):
        if re.match(r"inline constexpr (std::tuple<|Worlds [RF]\b)", lines[at]):
            begin = at
            while lines[begin - 1].startswith("///"):
                begin -= 1
            while not re.search(r";\s*(///<.*)?$", lines[at]):
                at += 1
            lines[begin : at + 1] = [re.sub(r"///.*", "", line) for line in lines[begin : at + 1]]
            lines[begin] = HIDE + lines[begin]
            lines[at] += " " + SHOW
        at += 1
    return lines


def _only_tests(lines, book):
    """Everything is hidden but the comment on the file and the test cases."""
    hidden, shown = False, []
    inside = False  # a test case
    for line in lines:
        case = TEST_CASE.match(line)
        if case:
            line = (SHOW if hidden else "") + _test(case.group(1), book) + line[case.end() :]
            hidden, inside = False, True
        elif not hidden and not inside and not line.startswith(("///", "#pragma")) and line.strip():
            line = HIDE + line
            hidden = True
        if inside and (line == "}" or (case and line.rstrip().endswith("}"))):
            line += " " + HIDE
            hidden, inside = True, False
        shown.append(line)
    if hidden:
        shown[-1] += " " + SHOW
    if not any("\\file" in line for line in shown):
        opening = itertools.takewhile(lambda line: line.startswith("// "), lines)
        brief = re.sub(r"^(Chapter \d+)\.", r"\1:", " ".join(line.removeprefix("// ") for line in opening))
        shown[0] = (f"/** {brief}\\nl\\file */ " if brief else "/** \\file */ ") + shown[0]
    return shown


def _test(name, book):
    number = name.split(" ")[0]
    law = book.laws.get(number)
    if law and law.id == name:
        box = rf'\ref {anchor("law", number)} "Law {law.id}"' if number in book.boxes else f"Law {law.id}"
        text = (
            rf"\anchor {anchor('test', number)} {box}, stated by \ref multihead::laws::{law.struct}, for both hands, "
            "at every shape and seed, in every world of the law."
        )
    else:
        text = f"Test case: {name}."
    return f"/** {text} */ void {test_function(name)}()"
