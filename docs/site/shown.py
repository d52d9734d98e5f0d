"""What a line of nothing but links with titles shows: code beside its formula, output, figures."""

import re

from line import LINK
from text import escape, raw

ONLY_LINKS = re.compile(r"(?:\w+:\s+)?" + LINK.pattern + r"(?:\s*[·,|]?\s*" + LINK.pattern + r")*\s*\.?\s*$")


def is_code(text):
    """Whether a line consists of links to parts of C++ files."""
    links = list(LINK.finditer(text))
    return bool(
        links
        and ONLY_LINKS.match(text.strip())
        and all(l[3].endswith((".hpp", ".cpp")) and re.fullmatch(r"\w+", l[4] or "") for l in links)
    )


class Shown:
    """Shows the files of one page; `line` translates its lines."""

    def __init__(self, book, line):
        self.book = book
        self.line = line

    def instead(self, text, before):
        """What stands instead of this line, or None if it is text; `before` is the line before it that is not empty."""
        if not ONLY_LINKS.match(text):
            return None
        links = [found.groups() for found in LINK.finditer(text)]
        if is_code(text):
            return self.code(links, with_formula=before.endswith("$$"))
        if len(links) != 1:
            return None
        image, words, target, title = links[0]
        if image and target.endswith(".svg"):
            return self.figure(words, target, title or "")
        if title and re.match(r"output\b", title):
            return self.output(words, target, title.removeprefix("output").lstrip(": "))
        return None

    def code(self, links, with_formula):
        """Pieces of code side by side, below or beside the formula that stands before them."""
        columns = ""
        for _, text, target, tag in links:
            path = self.line.existing(target)
            if path is None:
                continue
            relative = path.relative_to(self.book.root)
            if not re.search(r"// \[" + re.escape(tag) + r"\]", path.read_text(encoding="utf-8")):
                self.line.error(f"{target} has no part that is marked // [{tag}]")
            columns += raw(
                f'<div class="hand"><p class="hand-name"><a href="repo:{relative}">{escape(text)}'
                + (f" <small>{path.name}</small>" if text != path.name else "")
                + "</a></p>"
            )
            columns += rf"\snippet {relative} {tag}" + raw("</div>")
        if len(links) == 1 and not with_formula:
            return raw('<div class="hands one">') + columns + raw("</div>")
        return ("" if with_formula else raw('<div class="hands">')) + columns + raw("</div>")

    def output(self, text, target, part):
        """What a program prints, or its paragraphs that contain `part`."""
        path = self.line.existing(target)
        if path is None:
            return ""
        output = path.read_text(encoding="utf-8").rstrip("\n")
        if part:
            paragraphs = [paragraph for paragraph in re.split(r"\n\s*\n", output) if part in paragraph]
            if not paragraphs:
                self.line.error(f"{target} has no paragraph with “{part}”")
            output = "\n\n".join(paragraphs)
        piece = (
            f'<figure class="output"><figcaption><a href="repo:{path.relative_to(self.book.root)}">{escape(text)}</a>'
            f'</figcaption><pre tabindex="0">{escape(output)}</pre></figure>'
        )
        return raw(self.book.keep(piece))

    def figure(self, caption, target, title):
        """A picture with its caption. With a title such as `live: head`, the live figure will take its place."""
        path = (self.line.page.path.parent / target).resolve()
        if not path.is_file() and self.book.build:
            path = self.book.build / "figures" / path.name
        if not path.is_file():
            self.line.error(f"there is no figure {target}, neither here nor among those that the programs wrote")
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
            + self.line.translated(caption)
            + raw("</figcaption></figure>" + (f"<!--live {live.group(1)}-->" if live else ""))
        )
