"""Small changes of C++ source, one at a time: the mistakes of somebody who types a formula into code.

`mutations(text)` gives every change of one file. Only code is changed: no comment, no message, no parameter list, and none
of the lines that check shapes, which have tests of their own.
"""

import re
from typing import NamedTuple


class Mutation(NamedTuple):
    line: int  # counted from 1
    operator: str
    before: str  # the line without its indentation
    after: str


# Something that is added or multiplied: a name or a number, with what it is called with, or an expression in parentheses.
INNER = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
OPERAND = rf"(?:[\w.:<>]+(?:{INNER}|\[\w+\])*(?:\.\w+{INNER})*|{INNER})"
LEFT_OF_SUM = r"(?<!\* )(?<!\*)(?<=[ (])"

# Each pattern is replaced at every place where it stands, one place a mutation.
PATTERNS = [
    ("transposed operand", r"ublas::trans\((\w+)\)", r"\1"),
    ("transposed operand", r"ublas::row\(", "ublas::column("),
    ("transposed operand", r"ublas::column\(", "ublas::row("),
    ("wrong size", r"\.size1\(\)", ".size2()"),
    ("wrong size", r"\.size2\(\)", ".size1()"),
    ("wrong bound", r" < ([^;<]+); ", r" + 1 < \1; "),
    ("wrong bound", r" = 0; (?!.*pivot)", " = 1; "),
    ("wrong bound", r"& (\w+) : (\w+)\)", r"\g<0> if (&\1 != &\2[0])"),
    ("dropped term", r" \+= ", " = "),
    ("dropped term", rf" [+-] {OPERAND}", ""),
    ("dropped term", rf"{LEFT_OF_SUM}{OPERAND} \+ ", ""),
    ("dropped term", r"(Matrix<T> \w+ = )(\w+;)", r"\1T(0) * \2"),
    ("dropped term", r"(\{\{\}, )(\w+\})", r"\1T(0) * \2"),
    ("wrong sign", r" \+= ", " -= "),
    ("wrong sign", r" -= ", " += "),
    ("wrong sign", r" \+ ", " - "),
    ("wrong sign", r" - ", " + "),
    ("wrong sign", r"(?<=[ (])-(?=[\w(])", ""),
    ("missing factor", rf" [*/] {OPERAND}", ""),
    ("missing factor", rf"(?<=[ (]){OPERAND} \* ", ""),
    ("missing factor", rf" /= {OPERAND};", " /= 1;"),
    ("missing factor", r" / ", " * "),
    ("missing function", rf"\b(?:softmax|exponential|tanh|sqrt)({INNER})", r"\1"),
    ("wrong block", r"\bW_Q\b", "W_K"),
    ("wrong block", r"\bW_K\b", "W_V"),
    ("wrong block", r"\bW_V\b", "W_Q"),
    ("wrong block", r"\.W_O\b", ".W_V"),
    ("wrong block", r"\bweights\[h\]", "weights[0]"),
    ("wrong operand", r"\bQ\b(?! =)", "K"),
    ("wrong operand", r"\bK\b(?! =|\.size)", "Q"),
    ("wrong pivot", r" = 0; (?=.*pivot)", " = 1; "),
    ("wrong pivot", rf"\bpivot\((\w+), (\w+(?:{INNER})?)\)", r"\1"),
    ("wrong pivot", rf"\bpivot\((\w+), (\w+(?:{INNER})?)\)", r"\2"),
    ("wrong constant", r"\b(T|[a-z]\w*)\(0\)", r"\1(1)"),
    ("wrong constant", r"\bT\(2\)", "T(1)"),
    ("wrong constant", r", T\(0\)\)", ")"),
    ("wrong condition", r"if \((.+?)\) (?=return|continue|a /=)", "if (false) "),
]

# Nothing to change here: preprocessor, names, shape checks; parameters, but not what a loop runs over.
NO_CODE = re.compile(r"#|template|namespace|using |struct |//|public:|private:|(constexpr )?checks::|check\.|\}|$")
PARAMETERS = re.compile(
    r"(?<!for )\((?:const [^()]*|[\w:<>]+&+ [^()]*)(?:\)|$)|^\s*const [^()=]*\) (?:const )?(?:override )?\{"
)
# Not to be exchanged: an argument of a type of its own, which would not compile, and a size, which is changed by itself.
UNLIKE = re.compile(r".*size\d\(\)|f|f_backward|h|T\(\d\)|weights(?:\[h\])?|heads?(?:_h)?|&.*|\0+")
STATEMENT = re.compile(r"(?:[\w:.]+(?:\(.*?\))? [-+/*]?= |[\w.]+\.push_back\(|add\().*;$")


def masked(line):
    """The line with everything blanked that must stay: strings and parameters."""

    def blank(found):
        return "\0" * len(found.group())

    return PARAMETERS.sub(blank, re.sub(r"\"[^\"]*\"", blank, line))


def without_comment(line):
    return re.sub(r"\s*//.*", "", line)


def code_of(source):
    """The file without comments and empty lines: what its mutants depend on."""
    return "\n".join(filter(None, map(without_comment, source.split("\n"))))


def closing(text, at):
    """Where the parenthesis or brace that opens at `at` closes, or None on another line."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if depth == 0:
            return i
    return None


def arguments(text, opening, end):
    """The places (from, to) of the arguments between two parentheses."""
    places, depth, start = [], 0, opening + 1
    for i in range(opening + 1, end):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if text[i] == "," and depth == 0:
            places.append((start, i))
            start = i + 2
    return [*places, (start, end)]


def swaps(text):
    """Two neighbouring arguments exchanged: indices, operands, sizes."""
    for found in re.finditer(r"(\w*)(?:(?<=[\w>)])\(|(?<=[(>])\{|(?<=return )\{)", text):
        opening = found.end() - 1
        end = closing(text, opening)
        if end is None or ";" in text[opening:end]:
            continue
        places = arguments(text, opening, end)
        if found.group(1) in ("subrange", "row", "column"):
            del places[0]
        for (a, b), (c, d) in zip(places, places[1:]):
            if not UNLIKE.fullmatch(text[a:b]) and not UNLIKE.fullmatch(text[c:d]):
                yield a, d, text[c:d] + ", " + text[a:b]


def deletion(text):
    """The statement, after the heads of its loops, left out."""
    at = len(text) - len(text.lstrip())
    while found := re.match(r"for \(", text[at:]):
        end = closing(text, at + found.end() - 1)
        if end is None:
            return
        at = end + 2
    if STATEMENT.match(text[at:]):
        yield at, len(text), ";"


def changes(text):
    """All (operator, from, to, replacement) of one masked line."""
    for operator, pattern, replacement in PATTERNS:
        for found in re.finditer(pattern, text):
            yield operator, found.start(), found.end(), found.expand(replacement)
    for change in swaps(text):
        yield "swapped arguments", *change
    for change in deletion(text):
        yield "dropped term", *change


def restored(line, text, start, end, replacement):
    """The change made in the line itself. Blanked parts inside the change come back in their order."""
    parts = iter(re.findall(r"\0+", text[start:end]))
    at = start
    for blank in parts:
        at = text.index(blank, at)
        replacement = replacement.replace(blank, line[at : at + len(blank)], 1)
        at += len(blank)
    return line[:start] + replacement + line[end:]


def mutations(source):
    """Every mutation of a file, in the order of its lines."""
    for number, line in enumerate(map(without_comment, source.split("\n")), 1):
        if NO_CODE.match(line.strip()):
            continue
        text = masked(line)
        seen = {line}
        for operator, start, end, replacement in changes(text):
            after = restored(line, text, start, end, replacement)
            if after not in seen:
                seen.add(after)
                yield Mutation(number, operator, line.strip(), after.strip())
