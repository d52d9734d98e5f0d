"""The part of the page of laws about mutants: how many the laws kill, which law kills what, and what survives and why.

All of it comes from tests/mutants.tsv and tests/mutants_equivalent.txt; tests/mutants.py says what they hold.
"""

import re
import sys
from collections import Counter

from book import ROOT
from text import escape

sys.path.insert(0, str(ROOT / "tests"))

import mutants as judged  # noqa: E402

INTRODUCTION = """\
A wrong hand is a mistake that somebody thought of. The mistakes here were made by a program: small changes in the source of
the hands, one at a time, wherever they can be made. Each of these *mutants* is built and put before every law at all shapes
of the tests: in the free world, and if every law lets it pass there, in the homomorphic one and in `double`, with intervals,
too, but never in `float`. A law kills a mutant if it does not hold of it, or if it throws, crashes or does not end. Law 0.1
compares a mutant with the loops as they are. Mutants that no law kills are put before the tests of edges: sizes 0, infinite
and undefined scores, memory that was never set.

`meson compile -C build mutants` does this anew for every file that has changed; the tests look whether it was done. All
mutants with all laws that kill them are in <a href="repo:tests/mutants.tsv">mutants.tsv</a>, the changes in
<a href="repo:tests/mutations.py">mutations.py</a>."""


def laws_of(text):
    """The numbers in "rejects 4.0,4.2 throws 5.0"."""
    return re.findall(r"\d+\.\d+", text)


def count(mutants):
    """Killed of all, as it stands in a cell."""
    return f"{sum(m.verdict == 'killed' for m in mutants)} / {len(mutants)}" if mutants else ""


def score(mutants, operators):
    """How many of which change are killed, in each hand."""
    lines = ["| Change | Killed in loops | in algebra | Killed at edges only | Survive if all sizes are equal |"]
    lines.append("|---|---|---|---|---|")
    for operator in [*operators, "all"]:
        some = [m for m in mutants if operator in (m.operator, "all")]
        hands = " | ".join(count([m for m in some if m.hand == hand]) for hand in judged.HANDS)
        edges = sum(bool(m.edges) for m in some)
        square = sum(bool(m.laws and not m.square) for m in some)
        lines.append(f"| {operator} | {hands} | {edges} | {square} |")
    return lines


def kills(book, mutants, operators):
    """Laws in rows, changes in columns; how many mutants the law kills."""
    head = "".join(f'<th scope="col">{escape(operator)}</th>' for operator in [*operators, "alone"])
    rows = []
    for number in book.laws:
        killed = [m for m in mutants if number in laws_of(m.laws)]
        alone = sum(laws_of(m.laws) == [number] for m in killed)
        cells = [sum(m.operator == operator for m in killed) for operator in operators] + [alone]
        data = "".join(f'<td{" class=rejects" if cell else ""}>{cell or ""}</td>' for cell in cells)
        rows.append(f'<tr><th scope="row"><a href="law:{number}">{number}</a></th>{data}</tr>')
    piece = (
        '<div class="wide" tabindex="0" role="region" aria-label="Laws and the mutants that they kill">'
        f'<table class="rejections"><thead><tr><th scope="col">Law</th>{head}</tr></thead>'
        f'<tbody>{"".join(rows)}</tbody></table></div>'
    )
    return rf"\htmlonly[block]{book.keep(piece)}\endhtmlonly"


def equivalent(book, mutants, reasons):
    """The survivors that are no mistakes, by reason."""
    by_reason = {}
    for mutant in mutants:
        if mutant.verdict == "equivalent":
            by_reason.setdefault(reasons[mutant.change], []).append(mutant)
    items = ""
    for reason, some in by_reason.items():
        changes = "".join(
            f'<li><a href="repo:src/multihead/{m.file}">{m.file}</a>: <code>{escape(m.after)}</code></li>' for m in some
        )
        items += f"<li>{escape(reason)}<ul>{changes}</ul></li>"
    piece = f'<details><summary>{sum(map(len, by_reason.values()))} mutants</summary><ul>{items}</ul></details>'
    return rf"\htmlonly[block]{book.keep(piece)}\endhtmlonly"


def markdown(book):
    """The section, in Doxygen's Markdown."""
    everything = judged.read_snapshot()
    stillborn = sum(m.verdict == "stillborn" for m in everything)
    mutants = [m for m in everything if m.verdict not in ("", "stillborn")]
    lines = Counter(m.change for m in everything)
    repeated = sum(lines[m.change] > 1 and not m.verdict for m in everything)
    operators = list(dict.fromkeys(m.operator for m in sorted(mutants, key=lambda m: m.operator)))
    edges = sum(bool(m.edges) for m in mutants)
    equal = sum(m.verdict == "equivalent" for m in mutants)
    square = sum(bool(m.laws and not m.square) for m in mutants)
    alone = sum(laws_of(m.laws) == ["0.1"] for m in mutants)
    tried = f", of which {stillborn + len(mutants)} have been tried so far"
    if repeated:
        tried += f" (of the others {repeated} stand in the same words on several lines of a file, so this is no fair sample)"
    tried = tried if stillborn + len(mutants) < len(everything) else ", all of which have been tried"
    return "\n".join(
        [
            "## What the laws kill {#laws--mutants}",
            "",
            INTRODUCTION,
            "",
            f"There are {len(everything)} changes{tried}; {stillborn} of them do not compile. Of the other {len(mutants)} the laws"
            f" kill {sum(bool(m.laws) for m in mutants)}, {alone} of them by law 0.1 alone, and the tests of edges {edges}. The last"
            f" {equal} are no mistakes: each computes the same, for a reason given below.",
            "",
            *score(mutants, operators),
            "",
            "The last column is about the shapes. Had every law been asked at"
            " \\f$n=m=d_{\\text{model}}=d_k=d_v=4\\f$ and \\f$H=2\\f$ only, in the worlds where the mutant was judged,"
            f" {square} mutants more would survive: equal sizes hide transposed matrices and exchanged bounds. It would be"
            " worse without the laws that take sizes of their own, such as law 2.4 with its one key.",
            "",
            "How many mutants each law kills, by the change, and how many no other law does:",
            "",
            kills(book, mutants, operators),
            "",
            "These survive, because they are no mistakes:",
            "",
            equivalent(book, mutants, judged.read_equivalent()),
            "",
        ]
    )
