"""Small pieces of text that the pages are made of."""

import html
import re


def escape(text):
    return html.escape(text, quote=True)


def marked(text):
    """Plain text with its formulas marked up: W^O, d_k."""
    text = re.sub(r"\^(\w+)", r"<sup>\1</sup>", escape(text))
    return re.sub(r"\b([A-Za-z])_(\w+)", r"\1<sub>\2</sub>", text)


def raw(text):
    """HTML as a block of its own, in a line of Markdown: `\\nl` is an alias for a new line."""
    return r"\nl\nl\htmlonly[block]" + text.replace("\n", "&#10;") + r"\endhtmlonly\nl\nl "


def margin_text(margin):
    """A margin as it stands on a page: 0.31, 4e-9; words as they are."""
    try:
        number = float(margin)
    except (TypeError, ValueError):
        return str(margin or "")
    if number in (float("inf"), float("-inf")) or number != number:
        return "not finite"
    return re.sub(r"e([+-])0", r"e\1", f"{number:.2g}").replace("e+", "e").replace("-", "−")
