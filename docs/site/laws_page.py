"""The page of all laws: what they say, where they are tested, and which wrong hands they reject.

The numbers come from laws.json in the build directory, which `build/laws --json` writes: {"laws": [...]} with, for each
law, "number", "need", "hands", "instances" by world, whether it "holds", the "widest" enclosure in double, the worst "ulps"
by hand and scalar, its "degree" and the "chance" of an accident in an exact world, whether it is "weak", how many
"mutants" it kills, and its "refutations" as {"name", "margin"}. Whatever is not there is left open, and the page says so.
"""

import re

import mutants_page
from book import LAW_BOX, WORLDS, anchor, in_order
from text import escape, margin_text, marked, raw


def cell(text):
    return str(text).replace("|", r"\|").replace("\n", " ")


def statement(book, law):
    """As the page has it, in one paragraph; before there is one, the comment of the law object."""
    if law.number not in book.boxes:
        return law.statement[:1].upper() + law.statement[1:]
    page, line, _, _ = book.boxes[law.number][0]
    lines = page.path.read_text(encoding="utf-8").splitlines()[line - 1 :]
    quoted = [LAW_BOX.match(lines[0]).group(5)]
    for text in lines[1:]:
        if not text.startswith(">"):
            break
        quoted.append(text.lstrip("> "))
    text = re.sub(r"\$\$\s*(.*?)\s*\$\$", lambda found: "$" + found.group(1).rstrip(".,") + "$", " ".join(quoted))
    text = re.sub(r"\$([^$]+)\$", r"\\f$\1\\f$", text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


# A hand's shorthands for its score functions.
SHORTHANDS = {"dot": "dot_product", "form": "bilinear"}


def functions(law):
    """The functions that a law asks of a hand."""
    names = []
    for name in law.functions:
        row, plain = ("row::", name[4:]) if name.startswith("row_") else ("", name)
        names.append(row + SHORTHANDS.get(plain, plain))
    return ", ".join(f'<a href="name:{name}">{name}</a>' for name in dict.fromkeys(names))


def verdict(law, result):
    """Which hands were asked in which worlds, in how many instances, whether the law held in all, and how wide the widest
    enclosure was."""
    worlds = ", ".join(WORLDS[letter] for letter in law.worlds if letter in WORLDS)
    if not result:
        return worlds
    text = f"{', '.join(result.get('hands', []))}; {worlds}: {sum(result.get('instances', {}).values())} instances"
    if "holds" in result:
        text += ", holds in all" if result["holds"] else ", **does not hold**"
    widest = margin_text(result.get("widest"))
    text += f", enclosures up to {widest}" if widest not in ("", "0") else ""
    return text + ("; **weak**" if result.get("weak") else "")


def errors(result):
    """The worst errors of an entry in double and in float, in ulps, of whichever hand is worse."""
    worst = {}
    for run, value in result.get("ulps", {}).items():
        scalar = run.split()[-1]
        worst[scalar] = max(worst.get(scalar, 0), float(value))
    found = [f"{margin_text(worst[scalar])} ulp in {scalar}" for scalar in ("double", "float") if scalar in worst]
    return "<br/>Worst error " + ", ".join(found) if found else ""


def odds(result):
    """The degree of the law and the chance that a false one would pass, where it lives in an exact world."""
    chance = result.get("chance")
    if not chance:
        return ""
    degree = f"Degree {result['degree']}, odds" if result["degree"] else "Odds"  # a law of ranks compares constants
    return f"<br/>{degree} 2<sup>{chance.removeprefix('2^').replace('-', '−')}</sup>"


NEEDS = {
    "any function": "Any function. The law never asks for a value of the exponential",
    "a positive function": "A positive function, or any whose sums over keys do not vanish",
    "a positive function E with E' = E": "A positive function that is its own derivative",
    "e^(x+y) = e^x e^y": "\\f$e^{x+y}=e^xe^y\\f$",
    "order and size": "Order and size: inequalities and limits",
}


def needs(book):
    """Laws grouped by what they need of the exponential."""
    groups = {}
    for law in book.laws.values():
        need = book.results.get(law.number, {}).get("need")
        if need:
            groups.setdefault(need, []).append(law)
    lines = ["| What must be known of the function in place of \\f$e^x\\f$ | Laws |", "|---|---|"]
    for need, title in NEEDS.items():
        laws = ", ".join(f'\\ref {anchor("law", law.number)} "{law.number}"' for law in groups.get(need, []))
        lines.append(f"| {title} | {laws or 'none'} |")
    return lines if groups else [NOT_YET]


NOT_YET = (
    '\\htmlonly[block]<p class="empty">The test run has not been here yet: run the tests to fill this table'
    " (<code>meson test -C build</code>, then build the site again).</p>\\endhtmlonly"
)


def law_table(book, laws):
    lines = ["| Law | Statement | Hands, worlds and verdict |", "|---|---|---|"]
    for law in laws:
        result = book.results.get(law.number, {})
        title = law.number
        if law.number in book.boxes:
            title = f'\\ref {anchor("law", law.number)} "{law.number}"'
        test = f'\\ref {anchor("test", law.number)} "test"' if law.id in book.tests else "no test"
        asked = functions(law)
        lines.append(
            f'| {title} {law.name}<br/>{test} · \\ref multihead::laws::{law.struct} "code" '
            f"| {cell(statement(book, law))}{'<br/>Asks ' + asked if asked else ''} "
            f"| {verdict(law, result)}{errors(result)}{odds(result)} |"
        )
    return [raw('<div class="laws broad">'), "", *lines, "", raw("</div>")]


def rejection_table(book):
    """Laws in rows, wrong hands in columns, margins in the cells."""
    laws = [law for law in book.laws.values() if book.results.get(law.number, {}).get("refutations")]
    found = dict.fromkeys(name for law in laws for name in book.margins(law.number))
    first = {wrong.name: min(map(in_order, wrong.rejected), default=[]) for wrong in book.refutations}
    names = sorted((name for name in found if name in first), key=first.get)
    names += [name for name in found if name not in names]
    known = {wrong.name: wrong for wrong in book.refutations}
    head = "".join(f'<th scope="col" title="{escape(name)}">{at}</th>' for at, name in enumerate(names, 1))
    rows = []
    for law in laws:
        margins = book.margins(law.number)
        cells = ""
        for name in names:
            text = margins.get(name, "")
            cells += f'<td{" class=rejects" if text else ""} title="{escape(law.number + ": " + name)}">{escape(text)}</td>'
        where = f'<a href="law:{law.number}">{law.number}</a>' if law.number in book.boxes else law.number
        rows.append(f'<tr><th scope="row">{where}</th>{cells}</tr>')
    legend = "".join(
        f'<li><a href="repo:{known[name].path.relative_to(book.root)}#L{known[name].line}">{marked(name)}</a></li>'
        if name in known
        else f"<li>{marked(name)}</li>"
        for name in names
    )
    piece = (
        '<div class="wide" tabindex="0" role="region" aria-label="Laws and wrong hands">'
        f'<table class="rejections"><thead><tr><th scope="col">Law</th>{head}</tr></thead>'
        f'<tbody>{"".join(rows)}</tbody></table></div><ol class="legend">{legend}</ol>'
    )
    return rf"\htmlonly[block]{book.keep(piece)}\endhtmlonly"


def markdown(book):
    """All tables, in Doxygen's Markdown."""
    lines = []
    by_chapter = {}
    for law in book.laws.values():
        by_chapter.setdefault(int(law.number.split(".")[0]), []).append(law)
    titles = {page.number: page for page in book.chapters}
    for number, laws in by_chapter.items():
        page = titles.get(number)
        title = f"{number} · {page.title}" if page else ("The hands" if number == 0 else f"Chapter {number}")
        lines += [f"## {title} {{#laws--{number}}}", "", *law_table(book, laws), ""]
    lines += ["## Where the exponential is used {#laws--needs}", "", *needs(book), ""]
    lines += ["## What the laws cannot see {#laws--refutations}", ""]
    if any(result.get("refutations") for result in book.results.values()):
        lines += [
            "Each column is a wrong hand that a reader could have written, each row a law. A number is the smallest",
            "margin by which the law rejected it: the gap between the enclosures of the two sides. A blank says that the",
            "law let the mistake pass at some instance, or never saw it: its shape was refused, or the law lives in a world",
            "where it was not asked. The blanks teach as much as the numbers.",
            "",
            rejection_table(book),
            "",
        ]
    else:
        lines += [NOT_YET, ""]
    return "\n".join([*lines, mutants_page.markdown(book)])
