"""The box around a law or a definition on its page."""

from book import WORLDS, anchor
from text import marked, raw


def begin(number, kind, name):
    """The head of the box, and the beginning of the statement."""
    return (
        raw(
            f'<section class="law {kind.lower()}" aria-label="{kind} {number}"><p class="law-head">'
            f'<a class="law-number" href="#{anchor("law", number)}">{kind} {number}</a> '
            f'<span class="law-name">{name.replace("-", " ")}</span></p><div class="law-statement">'
        )
        + rf"\anchor {anchor('law', number)} "
    )


def proof():
    """Between statement and proof."""
    return raw('</div><div class="law-proof">')


def end(book, number):
    """What is known of the law: its test, its object, its worlds, what it rules out. And the end of the box."""
    law = book.laws.get(number)
    if law is None:
        return raw("</div></section>")
    facts = [rf'Stated in code by \ref multihead::laws::{law.struct} "{law.struct}"']
    if law.id in book.tests:
        facts.append(rf'tested by \ref {anchor("test", number)} "{law.id}"')
    named = ", ".join(WORLDS[letter] for letter in law.worlds if letter in WORLDS)
    facts.append(rf'in the worlds \ref proving--the-four-worlds "{named}"')
    return raw('</div><div class="law-facts">') + ", ".join(facts) + "." + raw(rules_out(book, number) + "</div></section>")


def rules_out(book, number):
    """The wrong hands that a law rejects: those that fewest laws reject, with their margins, and how many more."""
    margins = book.margins(number)
    wrongs = sorted(
        (wrong for wrong in book.refutations if number in wrong.rejected), key=lambda wrong: len(wrong.rejected)
    )
    shown = []
    for wrong in wrongs[: 4 if len(wrongs) > 5 else 5]:
        margin = margins.get(wrong.name)
        by = "fails by " if not shown and margin and margin[0].isdigit() else ""
        shown.append(
            f'<a href="repo:{wrong.path.relative_to(book.root)}#L{wrong.line}">{marked(wrong.name)}</a>'
            + (f" ({by}{margin})" if margin else "")
        )
    if not shown:
        return ""
    more = len(wrongs) - len(shown)
    rest = f'; and <a href="laws.html#laws--refutations">{more} more</a>' if more else ""
    return f"<p><b>Rules out</b> {'; '.join(shown)}{rest}.</p>"
