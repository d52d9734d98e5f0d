"""Puts mutants of the hands before the laws: `meson compile -C build mutants`.

A mutant is a hand with one of the small changes of mutations.py in its source. It is killed if a law does not hold of it;
a law that throws, crashes or does not end within 20 seconds of CPU time kills it too. To be quick it is built for the free
world first, and for the homomorphic one and `double`, with intervals, only if no law kills it there. No law is asked in
`float`. A mutant that every law lets pass is put before the tests of edges: sizes 0, infinite and undefined scores, memory
that was never set. One that survives is either shown to be equivalent in mutants_equivalent.txt, with a reason, or a law
is missing.

The result is mutants.tsv, a line for every mutant, which this rewrites. A mutant is judged anew if the code of its file has
changed since, if it survived, or with --all. They are judged in no order: if the run is stopped, those that were judged are
a fair sample, and the next run goes on. `mutants.py --check` builds nothing: it says whether mutants.tsv is up to date, and
fails unless every mutant was judged and none survived.
"""

import argparse
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple

from mutations import code_of, mutations

TESTS = pathlib.Path(__file__).resolve().parent
SOURCES = TESTS.parent / "src"
SNAPSHOT = TESTS / "mutants.tsv"
EQUIVALENT = TESTS / "mutants_equivalent.txt"
HANDS = ("loops", "algebra")
ADVICE = "run: meson compile -C build mutants"
# A place in the source. None is named if the compiler is killed, the disk is full or the linker fails.
COMPILE_ERROR = re.compile(r"^.+:\d+:\d+: error: ", re.MULTILINE)


class Mutant(NamedTuple):
    hand: str
    file: str  # below src/multihead
    line: int
    operator: str
    before: str
    after: str
    code: str  # a hash of the file's code, without comments
    verdict: str = ""  # killed, survived, equivalent, stillborn (it does not compile), or empty: not judged yet
    laws: str = ""  # the laws that kill it: "rejects 4.0,4.2 throws 5.0"
    square: str = ""  # the laws that still do if the sizes are all equal, in the same worlds
    edges: str = ""  # if no law kills it, the tests of edges that do

    @property
    def change(self):
        return self.file, self.before, self.after


def all_mutants():
    """Every mutant of the sources as they are. Not of hand.hpp, which only gives functions their names in the laws."""
    for hand in HANDS:
        for path in sorted((SOURCES / "multihead" / hand).glob("*.hpp")):
            source = path.read_text(encoding="utf-8")
            code = hashlib.sha256(code_of(source).encode()).hexdigest()[:12]
            if path.name != "hand.hpp":
                for mutation in mutations(source):
                    yield Mutant(hand, f"{hand}/{path.name}", *mutation, code)


def read_snapshot():
    if not SNAPSHOT.exists():
        return []
    rows = [line.split("\t") for line in SNAPSHOT.read_text(encoding="utf-8").splitlines()[1:]]
    return [Mutant(*row)._replace(line=int(row[2])) for row in rows]


def write_snapshot(mutants):
    unfinished = SNAPSHOT.with_suffix(".unfinished")
    rows = [Mutant._fields, *mutants]
    unfinished.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    unfinished.replace(SNAPSHOT)


def read_equivalent():
    """The reasons by (file, before, after). Paragraphs: the file, - before, + after (one or more), the reason."""
    reasons = {}
    for paragraph in EQUIVALENT.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in paragraph.split("\n") if line and not line.startswith("#")]
        if lines:
            before = next(line[2:] for line in lines if line.startswith("- "))
            reason = " ".join(line.strip() for line in lines[1:] if line[:2] not in ("- ", "+ "))
            reasons.update({(lines[0], before, line[2:]): reason for line in lines if line.startswith("+ ")})
    return reasons


def counted(mutants):
    """Every mutant by its change and the code of its file; the same change to one more line of the file counts on."""
    seen = Counter()
    for mutant in mutants:
        key = (mutant.change, mutant.code)
        yield (*key, seen[key]), mutant
        seen[key] += 1


def known(mutants, anew):
    """The mutants with the verdicts of the snapshot. Not of survivors: there may be new laws."""
    old = {} if anew else dict(counted(read_snapshot()))
    for key, mutant in counted(mutants):
        found = old.get(key)
        if found and found.verdict != "survived":
            mutant = found._replace(line=mutant.line, operator=mutant.operator)
        yield mutant


class Court:
    """Builds mutants and runs them."""

    def __init__(self, compiler, libraries, directory):
        self.compiler = compiler
        self.libraries = ["-Wl,--whole-archive", libraries[0], "-Wl,--no-whole-archive", *libraries[1:]]
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.header = self.directory / "mutant.hpp"
        self.header.write_text(f'#include "{TESTS}/mutant.hpp"\n')
        self.flags = ["-std=c++20", "-O0", "-w", "-ffp-contract=off", "-D_GLIBCXX_ASSERTIONS"]
        self.includes = [f"-I{SOURCES}", f"-I{TESTS}"]
        if not self.compiles("-x", "c++-header", self.header, "-o", f"{self.header}.gch"):
            sys.exit("what mutants are judged by does not compile")

    def compiles(self, *arguments):
        """Whether the source is right. If the compiler fails for another reason, that is no verdict: the run stops."""
        command = [*self.compiler, *self.flags, *arguments, *self.includes]
        environment = os.environ | {"CCACHE_DISABLE": "1", "LC_ALL": "C"}
        done = subprocess.run(command, stderr=subprocess.PIPE, env=environment, text=True, errors="replace")
        if done.returncode != 0 and not COMPILE_ERROR.search(done.stderr):
            raise RuntimeError(f"the compiler failed with {done.returncode}:\n{done.stderr[-2000:]}")
        print(done.stderr, end="", file=sys.stderr)
        return done.returncode == 0

    def build(self, mutant, worlds, directory):
        """The program that judges the mutant, or None if it does not compile. `worlds` is a function of mutant.hpp.

        The laws use the loops that stand. So the mutant's names are others.
        """

        def renamed(text):
            text = re.sub(rf"\b{mutant.hand}(?=::| \{{)", "mutant", text)
            return re.sub(rf"\b{mutant.hand.title()}", "Mutant", text)

        folder = directory / "multihead" / mutant.hand
        folder.mkdir(parents=True)
        for path in (SOURCES / "multihead" / mutant.hand).glob("*.hpp"):
            lines = path.read_text(encoding="utf-8").split("\n")
            if path.name == pathlib.Path(mutant.file).name:
                lines[mutant.line - 1] = mutant.after
            (folder / path.name).write_text(renamed("\n".join(lines)), encoding="utf-8")
        hand = (TESTS / f"hand_{mutant.hand}.cpp").read_text(encoding="utf-8").replace("any_hand", worlds)
        (directory / "hand.cpp").write_text(renamed(hand), encoding="utf-8")
        program = directory / "judge"
        built = self.compiles(
            f"-I{directory}", "-include", self.header, directory / "hand.cpp", *self.libraries, "-o", program
        )
        return program if built else None

    def swear_in(self):
        """A hand without a mistake survives, or verdicts mean nothing."""
        for hand in HANDS:
            verdict = self.judged(Mutant(hand, f"{hand}/softmax.hpp", 1, "", "", "#pragma once", ""))
            if verdict.verdict != "survived" or verdict.square:
                sys.exit(f"{hand} as they are do not pass: {verdict}")

    def judged(self, mutant):
        free = self.judged_in("free_hand", mutant)
        return free if free.laws or free.verdict == "stillborn" else self.judged_in("mutant_hand", mutant)

    def judged_in(self, worlds, mutant):
        with tempfile.TemporaryDirectory(dir=self.directory) as directory:
            program = self.build(mutant, worlds, pathlib.Path(directory))
            if program is None:
                return mutant._replace(verdict="stillborn")
            found = {"all": {}, "square": {}}
            for line in output(program, mutant.hand).splitlines():
                suite, how, law = line.split(" ")
                found[suite].setdefault(how, []).append(law)
            laws, square = (" ".join(f"{how} {','.join(of)}" for how, of in found[suite].items()) for suite in found)
            edges = "" if laws or worlds == "free_hand" else "; ".join(failing_tests(program))
            verdict = "killed" if laws or edges else "survived"
            return mutant._replace(verdict=verdict, laws=laws, square=square, edges=edges)


def output(program, *arguments, timeout=None):
    return subprocess.run(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=timeout
    ).stdout.decode(errors="replace")


def failing_tests(program):
    """The tests of edges that fail or crash; doctest heads what it has to say with their names."""
    try:
        text = output(program, timeout=600)  # they take seconds: none hangs because the machine is busy
    except subprocess.TimeoutExpired:
        return ["hangs"]
    return sorted(set(re.findall(r"^TEST CASE: +(.+)$", text, re.MULTILINE)))


def settled(mutants, reasons):
    """Survivors that are shown to be equivalent are called so."""
    for mutant in mutants:
        if mutant.verdict in ("survived", "equivalent"):
            mutant = mutant._replace(verdict="equivalent" if mutant.change in reasons else "survived")
        yield mutant


def complaints(mutants, reasons):
    """What is wrong with the results."""
    for mutant in mutants:
        if mutant.verdict == "survived":
            yield f"{mutant.file}:{mutant.line}: no law rejects this mutant:\n- {mutant.before}\n+ {mutant.after}"
    equivalent = Counter(mutant.change for mutant in mutants if mutant.verdict == "equivalent")
    waiting = {mutant.change for mutant in mutants if not mutant.verdict}
    for change in reasons.keys() - waiting:
        if equivalent[change] != 1:  # the same change elsewhere in the file would need a reason of its own
            which = [change[0], "- " + change[1], "+ " + change[2]]
            yield "\n".join([f"{EQUIVALENT.name}: {equivalent[change]} mutants survive, and not one, with", *which])


def summary(mutants):
    count = Counter(mutant.verdict for mutant in mutants)
    of_edges = sum(1 for mutant in mutants if mutant.edges)
    square = sum(1 for mutant in mutants if mutant.laws and not mutant.square)
    judged = len(mutants) - count[""]
    return (
        f"{judged} of {len(mutants)} mutants are judged, {count['stillborn']} stillborn; of the others the laws kill"
        f" {count['killed'] - of_edges}, the tests of edges {of_edges}; {count['equivalent']} equivalent, {count['survived']} survive."
        f" If all sizes were equal, {square} more would survive the laws."
    )


def judge_all(options, reasons):
    mutants = list(known(all_mutants(), options.all))
    waiting = [at for at, mutant in enumerate(mutants) if not mutant.verdict and options.only in mutant.file]
    waiting.sort(key=lambda at: hashlib.sha256("".join(mutants[at].change).encode()).digest())
    waiting = waiting[: options.most]
    print(f"{len(waiting)} of {len(mutants)} mutants are to be judged", file=sys.stderr)
    if waiting:
        court = Court(options.compiler.split(" "), options.libraries, options.directory)
        court.swear_in()
        with ThreadPoolExecutor(options.jobs) as pool:
            trials = {pool.submit(court.judged, mutants[at]): at for at in waiting}
            try:
                for done, trial in enumerate(as_completed(trials), 1):
                    mutant = mutants[trials[trial]] = trial.result()
                    print(f"[{done}/{len(waiting)}] {mutant.verdict}: {mutant.file}:{mutant.line}", file=sys.stderr)
                    if done % 10 == 0:  # the run may be stopped
                        write_snapshot(settled(mutants, reasons))
            finally:
                pool.shutdown(cancel_futures=True)  # if a trial fails, the run stops: those that wait are not built
    mutants = list(settled(mutants, reasons))
    write_snapshot(mutants)
    return mutants


def open_cases(mutants):
    """Where these are not the mutants that there are, or have not been judged."""
    there, here = (Counter((*m.change, m.code) for m in some) for some in (mutants, all_mutants()))
    for file in sorted({change[0] for change in (there - here) + (here - there)}):
        yield f"{file} or how it is mutated has changed since its mutants were judged; {ADVICE}"
    unjudged = sum(not mutant.verdict for mutant in mutants)
    if unjudged:
        yield f"{unjudged} mutants have not been judged; {ADVICE}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only check that all mutants were judged")
    parser.add_argument("--all", action="store_true", help="judge also the mutants whose files have not changed")
    parser.add_argument("--only", default="", metavar="NAME", help="judge only files whose names contain this")
    parser.add_argument("--most", type=int, metavar="N", help="judge no more than N in this run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    parser.add_argument("--compiler", default="c++", help="the compiler and its first arguments")
    parser.add_argument("--directory", default="build/mutants", help="where mutants are built")
    parser.add_argument("libraries", nargs="*", help="what is linked: all of the first")
    options = parser.parse_args()
    reasons = read_equivalent()
    mutants = list(settled(read_snapshot(), reasons)) if options.check else judge_all(options, reasons)
    wrong = list(complaints(mutants, reasons))
    if options.check:
        wrong += open_cases(mutants)
    print(*wrong, summary(mutants), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
