"""A page of the book, written for a git host, as Doxygen reads it.

Every line becomes one line, so that a warning names the line that the author wrote. `\\nl` is an alias for a new line.
What authors can write is described in docs/README.md.
"""

import re

import graph
import law_box
import laws_page
from book import EXERCISE, LAW_BOX, anchor, slug
from line import FENCE, HEADING, Line
from shown import Shown, is_code
from text import escape, raw

LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
TORN = re.compile(r"\b([Ll]aws?|[Dd]efinitions?|[Ee]xercises?|[Cc]hapters?)$")

QED = r' \htmlonly<span class="qed" role="img" aria-label="End of the proof">∎</span>\endhtmlonly'


class Translation:
    """One page. `lines` is the result, `errors` says what is wrong with it."""

    def __init__(self, page, book):
        self.page = page
        self.book = book
        self.source = page.path.read_text(encoding="utf-8").splitlines()
        self.lines = []
        self.errors = []
        self.at = 0  # the line that is translated, from 0
        self.line = Line(page, book, self.error)
        self.shown = Shown(book, self.line)
        self._translate()

    def error(self, message, line=None):
        self.errors.append(f"{self.page.path}:{(self.at if line is None else line) + 1}: error: {message}")

    def _translate(self):
        lines = self.source
        fence = None  # how the code block we are in was opened
        formula = False  # whether we are in a displayed formula
        law = None  # the law we are in: (number, kind, where): where is "statement" or "proof"
        shown = self._formulas_of_code()
        for self.at, line in enumerate(lines):
            text, end = line, ""
            quoted = line.startswith(">")
            opened = LAW_BOX.match(line)

            if law and law[2] == "statement" and not quoted:
                law, end = self._after_statement(law)
                self.lines.append(end)
                if line.strip():
                    self.error("an empty line must follow the statement of a law")
                continue
            if opened and not fence:
                if law:
                    self.error(f"the proof of law {law[0]} does not end: its last line ends in ∎")
                kind, number, name, target, rest = opened.groups()
                self._check_test(target, number, name)
                law = (number, kind, "statement", self.at)
                self.lines.append(law_box.begin(number, kind, name) + self._inline(rest))
                continue
            if law and law[2] == "statement":
                text = re.sub(r"^> ?", "", line)

            fenced = FENCE.match(text)
            if fenced and not formula:
                if fence == "math":
                    text, fence = r"\f]", None
                elif fence:
                    fence = None
                elif fenced.group(2) == "math":
                    text, fence = r"\f[", "math"
                else:
                    fence = fenced.group(1)
                self.lines.append(text)
                continue
            if fence:
                self.line.check_formula(text if fence == "math" else "")
                self.lines.append(text)
                continue

            if formula or text.strip().startswith("$$"):
                formula, text = self._display(text, formula, shown.get(self.at, ""))
            else:
                text = self._block(text)

            if law and law[2] == "proof" and line.rstrip().endswith("∎"):
                text = text.rstrip().removesuffix("∎").rstrip() + QED + self._end_of_list() + law_box.end(self.book, law[0])
                law = None
            elif self._list_ends():
                text += r"\nl."
            self.lines.append(text)
        if formula:
            self.error("the formula does not end")
        if law and law[2] == "statement":
            law, end = self._after_statement(law)
            self.lines.append(end)
        if law:
            self.error(f"the proof of law {law[0]} does not end: its last line ends in ∎", law[3])
        if self.page.number:
            self.lines.append(raw(self._turn()))

    def _inline(self, text, links=True):
        return self.line.translated(text, links, in_table=self.source[self.at].lstrip("> ").startswith("|"))

    # Blocks.

    def _block(self, text):
        """A line outside of code and displayed formulas."""
        stripped = text.strip()
        before = self.source[self.at - 1].strip() if self.at else ""
        if re.match(r"\d+\.\s", stripped) and before and not self._in_list(self.at):
            self.error("inside a paragraph, this line would begin a list")
        if TORN.search(stripped) and re.match(r"[> ]*\d", "".join(self.source[self.at + 1 : self.at + 2])):
            self.error("a name and its number must stand on one line, to be a link")
        heading = HEADING.match(text)
        if heading:
            return self._heading(*heading.groups())
        if re.fullmatch(r"<!--.*-->", stripped):
            return self._comment(stripped[4:-3].strip())
        if re.fullmatch(r"</?details>|<summary>.*</summary>|<details><summary>.*</summary>", stripped):
            return raw(stripped)
        above = next((line.strip() for line in reversed(self.source[: self.at]) if line.strip()), "")
        shown = self.shown.instead(stripped, above)
        if shown is not None:
            return shown
        exercise = EXERCISE.match(stripped)
        if exercise:
            number = exercise.group(1)
            stars = re.match(r"\s*\(?(★+)\)?\.?", stripped[exercise.end() :])
            level = stars.group(1) if stars else ""
            rest = stripped[exercise.end() + (stars.end() if stars else 0) :]
            label = f"{len(level)} of 3" if level else ""
            return (
                rf"\anchor {anchor('exercise', number)} \htmlonly"
                + f'<span class="exercise">Exercise {number}'
                + (f' <span class="level" role="img" aria-label="difficulty {label}">{level}</span>' if level else "")
                + r"</span>\endhtmlonly "
                + self._inline(rest)
            )
        return self._inline(text)

    def _heading(self, marks, title):
        if marks == "#":
            return f"# {self.page.title} {{#{self.page.label}}}"
        return f"{marks} {self._inline(title, links=False)} {{#{self.page.label}--{slug(title)}}}"

    def _comment(self, text):
        if text.startswith("\\"):
            return text
        if text == "chapters":
            return raw(self.book.keep(graph.block(self.book.chapters)))
        if text == "laws":
            return laws_page.markdown(self.book)  # many lines: this comment belongs at the end of a page
        return ""

    def _list_ends(self):
        """Doxygen lets a formula or a box after a list belong to its last item: the list must be ended by hand."""
        lines, at = self.source, self.at
        if at + 2 >= len(lines) or lines[at + 1].strip() or not lines[at].strip():
            return False
        following = next((line for line in lines[at + 1 :] if line.strip()), "")
        return self._in_list() and not following.startswith((" ", "\t")) and not LIST_ITEM.match(following)

    def _end_of_list(self):
        return r"\nl." if self._in_list() else ""

    def _in_list(self, end=None):
        for line in reversed(self.source[: self.at + 1 if end is None else end]):
            if LIST_ITEM.match(line):
                return True
            if line.strip() and not line.startswith(" "):
                return False
        return False

    # Formulas.

    def _display(self, text, inside, role):
        """Lines of a displayed formula. `role` says that it belongs to code: "begin" and "end" of its column."""
        self.line.check_formula(text)
        parts = re.split(r"\$\$", text)
        result = parts[0]
        for part in parts[1:]:
            if inside:
                result += r"\f]" + (raw("</div>") if "formula" in role else "")
            else:
                result += (raw('<div class="hands"><div class="hands-formula">') if "formula" in role else "") + r"\f["
            inside = not inside
            result += part
        return inside, result

    def _formulas_of_code(self):
        """The lines with $$ of each displayed formula that stands directly before links to code."""
        found, start, fenced = {}, None, False
        for at, line in enumerate(self.source):
            if FENCE.match(line):
                fenced = not fenced
            if fenced or not line.strip().startswith("$$") and start is None:
                continue
            count = line.count("$$")
            if start is None:
                start = at
                if count == 1:
                    continue
            elif count == 0:
                continue
            after = next((text for text in self.source[at + 1 :] if text.strip()), "")
            if is_code(after):
                found[start] = found[at] = "formula"
            start = None
        return found

    # Laws.

    def _check_test(self, target, number, name):
        path = self.line.existing(target)
        test = self.book.tests.get(f"{number} {name}")
        if path and test and test.path != path:
            self.error(f"law {number} is tested in {test.path.name}, not in {target}")

    def _after_statement(self, law):
        """The line that ends the statement: a proof follows, or the box ends."""
        number, kind, _, begun = law
        following = next((line for line in self.source[self.at :] if line.strip()), "")
        if following.startswith("*Proof"):
            return (number, kind, "proof", begun), law_box.proof()
        if kind == "Law":
            self.error(f"law {number} has no proof: a paragraph that begins with *Proof.* and ends in ∎", begun)
        return None, law_box.end(self.book, number)

    def _turn(self):
        """Previous and next chapter."""
        chapters = self.book.chapters
        at = chapters.index(self.page)
        links = []
        for way, index in (("Previous", at - 1), ("Next", at + 1)):
            if 0 <= index < len(chapters):
                page = chapters[index]
                links.append(
                    f'<a class="{way.lower()}" rel="{way[:4].lower()}" href="{page.file}"><small>{way}</small>'
                    f"<span>{page.number}. {escape(page.title)}</span></a>"
                )
            else:
                links.append(
                    f'<a class="{way.lower()}" href="{"index.html" if index < 0 else "laws.html"}"><small>{way}</small>'
                    f"<span>{'Front page' if index < 0 else 'All laws'}</span></a>"
                )
        return f'<nav class="turn" aria-label="Chapters before and after">{"".join(links)}</nav>'
