"""A page of the book, written for a git host, as Doxygen reads it.

Every line becomes one line, so that a warning names the line that the author wrote. `\\nl` is an alias for a new line.
What authors can write is described in docs/README.md.
"""

import re

import graph
import laws_page
from book import EXERCISE, LAW_BOX, anchor, slug
from text import escape, raw

FENCE = re.compile(r"\s*(```|~~~)\s*(\w*)")
HEADING = re.compile(r"(#+)\s+(.*?)\s*$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)(?:\s+\"([^\"]*)\")?\)")
ONLY_LINKS = re.compile(r"(?:\w+:\s+)?" + LINK.pattern + r"(?:\s*[·,|]?\s*" + LINK.pattern + r")*\s*\.?\s*$")
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
CROSS = re.compile(r"\b([Ll]aws?|[Dd]efinitions?|[Ee]xercises?) (\d+\.\d+)((?:(?:, and |, | and | or |–)\d+\.\d+)*)")
CHAPTER = re.compile(r"\b([Cc]hapters?) (\d+)((?:(?:, and |, | and | or | to |–)\d+)*)\b(?!\.\d)")
NOT_ON_A_GIT_HOST = re.compile(r"\\(operatorname|mbox|phantom|newcommand|renewcommand|def|require)\b")

QED = r' \htmlonly<span class="qed" role="img" aria-label="End of the proof">∎</span>\endhtmlonly'


class Translation:
    """One page. `lines` is the result, `errors` says what is wrong with it, `copied` names the files it links to."""

    def __init__(self, page, book):
        self.page = page
        self.book = book
        self.source = page.path.read_text(encoding="utf-8").splitlines()
        self.lines = []
        self.errors = []
        self.at = 0  # the line that is translated, from 0
        self.slugs = self._slugs(self.source)
        self._translate()

    def error(self, message, line=None):
        self.errors.append(f"{self.page.path}:{(self.at if line is None else line) + 1}: error: {message}")

    @staticmethod
    def _slugs(lines):
        """The anchors of the headings outside of code."""
        fenced, found = False, []
        for line in lines:
            if FENCE.match(line):
                fenced = not fenced
            heading = HEADING.match(line)
            if heading and not fenced:
                found.append(slug(heading.group(2)))
        return found

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
                self.lines.append(self._law_begin(number, kind, name) + self._inline(rest))
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
                self._check_formula(text if fence == "math" else "")
                self.lines.append(text)
                continue

            if formula or text.strip().startswith("$$"):
                formula, text = self._display(text, formula, shown.get(self.at, ""))
            else:
                text = self._block(text)

            if law and law[2] == "proof" and line.rstrip().endswith("∎"):
                text = text.rstrip().removesuffix("∎").rstrip() + QED + self._end_of_list() + self._law_end(law[0])
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

    # Blocks.

    def _block(self, text):
        """A line outside of code and displayed formulas."""
        stripped = text.strip()
        heading = HEADING.match(text)
        if heading:
            return self._heading(*heading.groups())
        if re.fullmatch(r"<!--.*-->", stripped):
            return self._comment(stripped[4:-3].strip())
        if re.fullmatch(r"</?details>|<summary>.*</summary>|<details><summary>.*</summary>", stripped):
            return raw(stripped)
        if ONLY_LINKS.match(stripped):
            links = [found.groups() for found in LINK.finditer(stripped)]
            shown = self._shown(links)
            if shown:
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

    def _in_list(self):
        for line in reversed(self.source[: self.at + 1]):
            if LIST_ITEM.match(line):
                return True
            if line.strip() and not line.startswith(" "):
                return False
        return False

    # Formulas.

    def _check_formula(self, text):
        found = NOT_ON_A_GIT_HOST.search(text)
        if found:
            self.error(f"git hosts refuse \\{found.group(1)} in formulas: write \\mathrm or spell it out")

    def _display(self, text, inside, role):
        """Lines of a displayed formula. `role` says that it belongs to code: "begin" and "end" of its column."""
        self._check_formula(text)
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
            if self._is_code(after):
                found[start] = found[at] = "formula"
            start = None
        return found

    @staticmethod
    def _is_code(text):
        links = list(LINK.finditer(text))
        return bool(
            links and ONLY_LINKS.match(text.strip()) and all(re.search(r"\.[ch]pp$", l.group(3)) and l.group(4) for l in links)
        )

    # What a line of nothing but links with titles shows.

    def _shown(self, links):
        if self._is_code(self.source[self.at]):
            before = next((text for text in reversed(self.source[: self.at]) if text.strip()), "")
            with_formula = before.strip().endswith("$$")
            return self._code(links, with_formula)
        if len(links) != 1:
            return None
        image, text, target, title = links[0]
        if image and target.endswith(".svg"):
            return self._figure(text, target, title or "")
        if title and re.match(r"output\b", title):
            return self._output(text, target, title.removeprefix("output").lstrip(": "))
        return None

    def _code(self, links, with_formula):
        columns = ""
        for _, text, target, tag in links:
            path = self._existing(target)
            if path is None:
                continue
            relative = path.relative_to(self.book.root)
            if not re.search(r"// \[" + re.escape(tag) + r"\]", path.read_text(encoding="utf-8")):
                self.error(f"{target} has no part that is marked // [{tag}]")
            columns += raw(
                f'<div class="hand"><p class="hand-name"><a href="repo:{relative}">{escape(text)}'
                f" <small>{path.name}</small></a></p>"
            )
            columns += rf"\snippet {relative} {tag}" + raw("</div>")
        if len(links) == 1 and not with_formula:
            return raw('<div class="hands one">') + columns + raw("</div>")
        return ("" if with_formula else raw('<div class="hands">')) + columns + raw("</div>")

    def _output(self, text, target, part):
        path = self._existing(target)
        if path is None:
            return ""
        output = path.read_text(encoding="utf-8").rstrip("\n")
        if part:
            paragraphs = [paragraph for paragraph in re.split(r"\n\s*\n", output) if part in paragraph]
            if not paragraphs:
                self.error(f"{target} has no paragraph with “{part}”")
            output = "\n\n".join(paragraphs)
        piece = (
            f'<figure class="output"><figcaption><a href="repo:{path.relative_to(self.book.root)}">{escape(text)}</a>'
            f'</figcaption><pre tabindex="0">{escape(output)}</pre></figure>'
        )
        return raw(self.book.keep(piece))

    def _figure(self, caption, target, title):
        path = (self.page.path.parent / target).resolve()
        if not path.is_file() and self.book.build:
            path = self.book.build / "figures" / path.name
        if not path.is_file():
            self.error(f"there is no figure {target}, neither here nor among those that the programs wrote")
            return ""
        name = path.stem
        svg = path.read_text(encoding="utf-8")
        svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE[^>]*>|<!--.*?-->", "", svg, flags=re.DOTALL).strip()
        svg = re.sub(r"\b(id|xlink:href|href)=\"(#?)([\w-]+)\"", rf'\1="\2{name}-\3"', svg)
        svg = re.sub(r"url\(#([\w-]+)\)", rf"url(#{name}-\1)", svg)
        if not re.match(r"<svg[^>]*\b(aria-label|role)=", svg):
            svg = svg.replace("<svg", f'<svg role="img" aria-label="{escape(re.sub(r"[$`*]", "", caption))}"', 1)
        live = re.match(r"live:?\s+(\w+)", title)
        begin, end = '<figure class="figure"><div class="figure-box">', "</div>"
        if live:
            begin = f'<figure class="figure live" data-live="{live.group(1)}"><div class="figure-box">'
        return (
            raw(begin + self.book.keep(svg) + end + "<figcaption>")
            + self._inline(caption)
            + raw("</figcaption></figure>" + (f"<!--live {live.group(1)}-->" if live else ""))
        )

    # Laws.

    def _check_test(self, target, number, name):
        path = self._existing(target)
        test = self.book.tests.get(f"{number} {name}")
        if path and test and test.path != path:
            self.error(f"law {number} is tested in {test.path.name}, not in {target}")

    def _law_begin(self, number, kind, name):
        return (
            raw(
                f'<section class="law {kind.lower()}" aria-label="{kind} {number}"><p class="law-head">'
                f'<a class="law-number" href="#{anchor("law", number)}">{kind} {number}</a> '
                f'<span class="law-name">{name.replace("-", " ")}</span></p><div class="law-statement">'
            )
            + rf"\anchor {anchor('law', number)} "
        )

    def _after_statement(self, law):
        """The line that ends the statement: a proof follows, or the box ends."""
        number, kind, _, begun = law
        following = next((line for line in self.source[self.at :] if line.strip()), "")
        if following.startswith("*Proof"):
            return (number, kind, "proof", begun), raw('</div><div class="law-proof">')
        if kind == "Law":
            self.error(f"law {number} has no proof: a paragraph that begins with *Proof.* and ends in ∎", begun)
        return None, self._law_end(number)

    def _law_end(self, number):
        law = self.book.laws.get(number)
        if law is None:
            return raw("</div></section>")
        facts = []
        if law.id in self.book.tests:
            verb = "Proved" if self.book.boxes[number][0][2] == "Law" else "Held to"
            facts.append(f'{verb} by \\ref {anchor("test", number)} "the test {law.id}"')
        facts.append(rf'stated in code by \ref multihead::laws::{law.struct} "{law.struct}"')
        worlds = {"R": "real", "F": "free", "H": "homomorphic"}
        named = ", ".join(worlds[letter] for letter in law.worlds if letter in worlds)
        facts.append(rf'in the worlds \ref proving--the-four-worlds "{named}"')
        rules_out = self._rules_out(number)
        return (
            raw('</div><div class="law-facts">')
            + "; ".join(facts)
            + "."
            + raw(rules_out + "</div></section>")
        )

    def _rules_out(self, number):
        """The wrong hands that a law rejects: those that fewest laws reject, with their margins, and how many more."""
        margins = self.book.margins(number)
        wrongs = sorted(
            (wrong for wrong in self.book.refutations if number in wrong.rejected), key=lambda wrong: len(wrong.rejected)
        )
        shown = []
        for wrong in wrongs[: 4 if len(wrongs) > 5 else 5]:
            where = wrong.path.relative_to(self.book.root)
            margin = margins.get(wrong.name)
            shown.append(
                f'<a href="repo:{where}#L{wrong.line}">{escape(wrong.name)}</a>' + (f" ({margin})" if margin else "")
            )
        if not shown:
            return ""
        more = len(wrongs) - len(shown)
        rest = f'; and <a href="laws.html#laws--refutations">{more} more</a>' if more else ""
        return f"<p><b>Rules out</b> {'; '.join(shown)}{rest}.</p>"

    # Text.

    def _inline(self, text, links=True):
        """Formulas, links and cross references of one line, code left alone."""
        kept = []

        def keep(piece):
            kept.append(piece)
            return f"\x00{len(kept) - 1}\x00"

        def formula(found):
            content = found.group(1) or found.group(2)
            self._check_formula(content)
            if "|" in content and self.source[self.at].lstrip("> ").startswith("|"):
                self.error("| in a formula breaks the table: write \\lvert, \\mid or \\vert")
            return keep(rf"\f${content}\f$")

        text = re.sub(r"\$`([^`]+)`\$", lambda found: keep(rf"\f${found.group(1)}\f$"), text)
        text = re.sub(r"(`+)(.+?)\1", lambda found: keep(found.group(0)), text)
        text = text.replace(r"\$", keep("$"))
        text = re.sub(r"\$\$([^$]+)\$\$|\$([^$]+)\$", formula, text)
        if "$" in text:
            self.error("a formula in the text must end on its line")
        if links:
            if "](" in LINK.sub("", text):
                self.error("a link must stand on one line")
            text = LINK.sub(lambda found: keep(self._link(*found.groups(), kept)), text)
            text = CROSS.sub(self._cross, text)
            text = CHAPTER.sub(self._chapter, text)
        # Doxygen does not see emphasis around a formula or a link.
        text = re.sub(r"\*\*([^*]*\x00[^*]*)\*\*", r"<b>\1</b>", text)
        text = re.sub(r"(?<![*\w])\*(?![*\s])([^*]*\x00[^*]*)(?<!\s)\*(?![*\w])", r"<em>\1</em>", text)
        for _ in range(3):
            text = re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found.group(1))], text)
        return text

    def _cross(self, found):
        """law 1.2, laws 1.1 and 1.5, exercise 2.3."""
        word, first, more = found.groups()
        kind = "exercise" if word.lower().startswith("exercise") else "law"

        def reference(number, text):
            if kind == "exercise" and number not in self.book.exercises:
                self.error(f"there is no exercise {number}")
                return text
            if kind == "law" and number not in self.book.boxes:
                if number not in self.book.laws and (self.book.has_laws(number) or self._written(number)):
                    self.error(f"there is no law {number}")
                return text
            return rf'\ref {anchor(kind, number)} "{text}"'

        if not more:
            return reference(first, f"{word} {first}")
        rest = re.sub(r"\d+\.\d+", lambda number: reference(number.group(0), number.group(0)), more)
        return f"{word} {reference(first, first)}{rest}"

    def _written(self, number):
        return any(str(page.number) == number.split(".")[0] for page in self.book.chapters)

    def _chapter(self, found):
        """chapter 4, chapters 2 and 4."""
        word, first, more = found.groups()
        pages = {page.number: page for page in self.book.chapters if page is not self.page}

        def reference(number, text):
            page = pages.get(int(number))
            return rf'\ref {page.label} "{text}"' if page else text

        if not more:
            return reference(first, f"{word} {first}")
        rest = re.sub(r"\d+", lambda number: reference(number.group(0), number.group(0)), more)
        return f"{word} {reference(first, first)}{rest}"

    def _link(self, image, text, target, title, kept):
        if re.match(r"\w+:", target):
            return f'<a href="{escape(target)}">{text}</a>' if not image else f"![{text}]({target})"
        if image:
            self.error("only SVG figures on a line of their own are shown")
            return text
        if target.startswith("#"):
            if target[1:] not in self.slugs:
                self.error(f"this page has no heading {target}")
            return f'<a href="#{self.page.label}--{target[1:]}">{text}</a>'
        path = self._existing(target.split("#")[0])
        if path is None:
            return text
        page = self.book.pages.get(path)
        if page is None:
            relative = path.relative_to(self.book.root)
            if path.is_dir():
                readme = path / "README.md"
                page = self.book.pages.get(readme)
            if page is None:
                return f'<a href="repo:{relative}">{text}</a>'
        fragment = target.partition("#")[2]
        if fragment:
            if fragment not in self._slugs(page.path.read_text(encoding="utf-8").splitlines()):
                self.error(f"{target.split('#')[0]} has no heading #{fragment}")
            fragment = f"#{page.label}--{fragment}"
        return f'<a href="{page.file}{fragment}">{text}</a>'

    def _existing(self, target):
        path = (self.page.path.parent / target).resolve()
        if not path.exists() or not path.is_relative_to(self.book.root):
            self.error(f"the link {target} leads nowhere")
            return None
        return path

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
