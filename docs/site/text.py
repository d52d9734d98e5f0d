"""Small pieces of text that the pages are made of."""

import html
import re


def escape(text):
    return html.escape(text, quote=True)


def raw(text):
    """HTML as a block of its own, in a line of Markdown: `\\nl` is an alias for a new line."""
    return r"\nl\nl\htmlonly[block]" + text.replace("\n", "&#10;") + r"\endhtmlonly\nl\nl "


def margin_text(margin):
    """A margin as it stands on a page: 0.31, 4e-9; words as they are."""
    if isinstance(margin, (int, float)) and not isinstance(margin, bool):
        if margin != margin or margin in (float("inf"), float("-inf")):
            return "not finite"
        return re.sub(r"e([+-])0", r"e\1", f"{margin:.2g}").replace("e+", "e")
    return str(margin) if margin else ""
