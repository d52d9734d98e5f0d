"""The text of a line: formulas, links and cross references."""

import re

from book import anchor, slug
from text import escape

FENCE = re.compile(r"\s*(```|~~~)\s*(\w*)")
HEADING = re.compile(r"(#+)\s+(.*?)\s*$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)(?:\s+\"([^\"]*)\")?\)")
CROSS = re.compile(r"\b([Ll]aws?|[Dd]efinitions?|[Ee]xercises?) (\d+\.\d+)((?:(?:, and |, | and | or | to |–)\d+\.\d+)*)")
CHAPTER = re.compile(r"\b([Cc]hapters?) (\d+)((?:(?:, and |, | and | or | to |–)\d+)*)\b(?!\.\d)")
NOT_ON_A_GIT_HOST = re.compile(r"\\(operatorname|mbox|phantom|newcommand|renewcommand|def|require)\b")
NO_BREAK = "\u00a0"  # a space where a line does not end


def slugs(page):
    """The anchors of the headings outside of code."""
    fenced, found = False, []
    for line in page.path.read_text(encoding="utf-8").splitlines():
        if FENCE.match(line):
            fenced = not fenced
        heading = HEADING.match(line)
        if heading and not fenced:
            found.append(slug(heading.group(2)))
    return found


class Line:
    """Translates the lines of one page. `error` is called with what is wrong with one."""

    def __init__(self, page, book, error):
        self.page = page
        self.book = book
        self.error = error
        self.slugs = slugs(page)

    def translated(self, text, links=True, in_table=False):
        """Formulas, links and cross references of one line, code left alone."""
        kept = []

        def keep(piece):
            kept.append(piece)
            return f"\x00{len(kept) - 1}\x00"

        def formula(found):
            content = found.group(1) or found.group(2)
            self.check_formula(content)
            if "|" in content and in_table:
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
        text = re.sub("[가-힣]+(?: [가-힣]+)*", r'<span lang="ko">\g<0></span>', text)
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
                if number not in self.book.laws:
                    self.error(f"there is no law {number}")
                return text
            return rf'\ref {anchor(kind, number)} "{text.replace(" ", NO_BREAK)}"'

        if not more:
            return reference(first, f"{word} {first}")
        rest = re.sub(r"\d+\.\d+", lambda number: reference(number.group(0), number.group(0)), more)
        return f"{word} {reference(first, first)}{rest}"

    def _chapter(self, found):
        """chapter 4, chapters 2 and 4."""
        word, first, more = found.groups()
        pages = {page.number: page for page in self.book.chapters if page is not self.page}

        def reference(number, text):
            page = pages.get(int(number))
            if not page and int(number) != self.page.number:
                self.error(f"there is no chapter {number}")
            return rf'\ref {page.label} "{text.replace(" ", NO_BREAK)}"' if page else text

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
        path = self.existing(target.split("#")[0])
        if path is None:
            return text
        page = self.book.pages.get(path)
        if page is None:
            relative = path.relative_to(self.book.root)
            if path.is_dir():
                readme = path / "README.md"
                page = self.book.pages.get(readme)
            if page is None:
                return f'<a href="repo:{relative}{self._place(path, title)}">{text}</a>'
        fragment = target.partition("#")[2]
        if fragment:
            if fragment not in slugs(page):
                self.error(f"{target.split('#')[0]} has no heading #{fragment}")
            fragment = f"#{page.label}--{fragment}"
        return f'<a href="{page.file}{fragment}">{text}</a>'

    def _place(self, path, title):
        """The line of the test case that the title of a link to tests names."""
        if not title or path.parent.name != "tests":
            return ""
        test = self.book.tests.get(title)
        if test is None or test.path != path:
            self.error(f"{path.name} has no test case “{title}”")
            return ""
        return f"#L{test.line}"

    def existing(self, target):
        """The file that a link leads to, or None, which is an error."""
        path = (self.page.path.parent / target).resolve()
        if not path.exists() or not path.is_relative_to(self.book.root):
            self.error(f"the link {target} leads nowhere")
            return None
        return path

    def check_formula(self, text):
        """A formula must do on a git host, too."""
        found = NOT_ON_A_GIT_HOST.search(text)
        if found:
            self.error(f"git hosts refuse \\{found.group(1)} in formulas: write \\mathrm or spell it out")
