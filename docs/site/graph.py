"""The chapters as a graph: an arrow from each to those that build on it."""

import re

from text import escape

WIDTH, HEIGHT = 226, 44  # of a box
BESIDE, BELOW = 24, 34  # between boxes


def levels(chapters):
    """Each chapter one level below the lowest of those it assumes."""
    level = {}
    for page in chapters:
        level[page.number] = max((level[other] + 1 for other in page.assumes if other in level), default=0)
    rows = {}
    for page in chapters:
        rows.setdefault(level[page.number], []).append(page)
    return [rows[at] for at in sorted(rows)]


def direct(page, chapters):
    """What a chapter assumes, without what follows from the rest."""
    by_number = {other.number: other for other in chapters}

    def reached(number):
        found = set()
        for other in by_number[number].assumes if number in by_number else []:
            found |= {other} | reached(other)
        return found

    indirect = set().union(*(reached(other) for other in page.assumes)) if page.assumes else set()
    return [other for other in page.assumes if other not in indirect and other in by_number]


def svg(chapters):
    rows = levels(chapters)
    width = max(len(row) for row in rows) * (WIDTH + BESIDE) - BESIDE + 4
    height = len(rows) * (HEIGHT + BELOW) - BELOW + 4
    place = {}
    for at, row in enumerate(rows):
        left = (width - len(row) * (WIDTH + BESIDE) + BESIDE) / 2
        for column, page in enumerate(row):
            place[page.number] = (left + column * (WIDTH + BESIDE), 2 + at * (HEIGHT + BELOW))
    edges, boxes = [], []
    for page in chapters:
        x, y = place[page.number]
        for other in direct(page, chapters):
            a, b = place[other][0] + WIDTH / 2, place[other][1] + HEIGHT
            c, d = x + WIDTH / 2, y - 5
            bend = (d - b) / 2
            edges.append(f'<path d="M{a:g},{b:g} C{a:g},{b + bend:g} {c:g},{d - bend:g} {c:g},{d:g}"/>')
        boxes.append(
            f'<a href="{page.file}"><rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
            f'<text x="{x + 16:g}" y="{y + 29:g}"><tspan class="number">{page.number}</tspan>'
            f'<tspan dx="10">{escape(page.title)}</tspan></text></a>'
        )
    return (
        f'<svg class="chapters" viewBox="0 0 {width:g} {height:g}" style="width:{width / 17:.1f}rem" role="group"'
        ' aria-label="Chapters; an arrow leads to a chapter that builds on another">'
        '<defs><marker id="chapters-arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7"'
        ' orient="auto"><path d="M0,0 L8,4 L0,8 z"/></marker></defs>'
        f'<g class="edges" marker-end="url(#chapters-arrow)">{"".join(edges)}</g>{"".join(boxes)}</svg>'
    )


def shown(text):
    """A paragraph of Markdown as HTML: emphasis, code, formulas, and the words of links."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", escape(text))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\$([^$]+)\$", r"\\(\1\\)", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def block(chapters):
    """The graph, and a line about each chapter."""
    if not chapters:
        return ""
    lines = "".join(
        f'<li value="{page.number}"><a href="{page.file}">{escape(page.title)}</a> {shown(page.summary)}</li>'
        for page in chapters
    )
    return (
        f'<figure class="figure"><div class="figure-box">{svg(chapters)}</div></figure>'
        f'<ol class="chapter-list">{lines}</ol>'
    )
