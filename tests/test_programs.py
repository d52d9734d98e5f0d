#!/usr/bin/env python3
"""test_programs.py PROGRAM: a program of the book refuses bad input.

It must say so in one line on standard error, end with status 2 and leave no figure behind.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

program = pathlib.Path(sys.argv[1]).resolve()
chapters = pathlib.Path(__file__).resolve().parent.parent / "chapters"
draws = program.name != "laws"
room = tempfile.TemporaryDirectory()
folder = pathlib.Path(room.name)
count = 0


def fail(arguments, what):
    sys.exit(f"{program.name} {' '.join(map(str, arguments))}\n  {what}")


def run(*arguments, stdout=subprocess.PIPE):
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, errors="replace", timeout=120)


def refuses(arguments, *words, figures=None, stdout=subprocess.PIPE):
    """The program refuses the arguments, and its message holds the words."""
    global count
    count += 1
    place = figures or folder / f"figures{count}"
    before = sorted(place.rglob("*")) if place.is_dir() else []
    result = run(*arguments, *(["--figures", place] if draws else []), stdout=stdout)
    # A slow run may say what it is at, in lines that end in dots.
    message = "".join(line for line in result.stderr.splitlines(True) if not line.endswith(" ...\n"))
    if result.returncode != 2:
        fail(arguments, f"status {result.returncode}, not 2; standard error: {message!r}")
    if message.count("\n") != 1 or not message.endswith("\n") or len(message) > 500:
        fail(arguments, f"not one line on standard error: {message!r}")
    if not message.startswith(program.name + ": "):
        fail(arguments, f"the message does not begin with the program's name: {message!r}")
    for word in words:
        if word not in message:
            fail(arguments, f"the message does not say {word!r}: {message!r}")
    if place.is_dir() and sorted(place.rglob("*")) != before:
        fail(arguments, f"left behind: {sorted(place.rglob('*'))}")


def accepts(arguments, *words):
    """The program takes the arguments, and its output holds the words."""
    global count
    count += 1
    result = run(*arguments)
    if result.returncode != 0:
        fail(arguments, f"status {result.returncode}, not 0; standard error: {result.stderr!r}")
    text = " ".join(result.stdout.split())
    for word in words:
        if word not in text:
            fail(arguments, f"the output does not hold {word!r}")
    return result.stdout


def file(name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def every_program():
    accepts(["--help"], "--seed N", "--help")
    refuses(["--nonsense"], "unknown option --nonsense", "--help")
    refuses(["word"], "unknown option word")
    refuses(["--see", "1"], "unknown option --see")
    refuses(["--seed", "1", "--seed", "2"], "--seed is given twice")
    refuses(["--seed", "x"], "--seed needs a whole number, not 'x'")
    for number in ["-1", "1.5", "1e3", "1 ", "99999999999999999999999"]:
        refuses(["--seed", number], "--seed needs a whole number")
    refuses(["--seed", ""], "--seed needs N")
    for options in re.findall(r"^  (--\S+) ", run("--help").stdout, re.M):
        if options != "--help":
            last = run(options)
            if last.returncode != 2 or last.stderr.count("\n") != 1 or f"{options} needs" not in last.stderr:
                fail([options], f"a missing value: status {last.returncode}, {last.stderr!r}")
            refuses([options, "--help"], f"{options} needs")  # the next word is an option, no value


def figures():
    """Every program that draws."""
    accepts(["--help"], "--figures DIR")
    output = accepts([])
    if accepts(["--figures", folder / "good"]) != output:
        fail(["--figures"], "the output depends on whether figures are written")
    names = sorted(path.name for path in (folder / "good").iterdir())
    for name in names:
        if not name.endswith(".svg"):
            fail(["--figures"], f"wrote {name}")
        xml.dom.minidom.parse(str(folder / "good" / name))
    unwritable(names)


def unwritable(names):
    """Figures cannot be written: a file where a folder should be (root may write anywhere else)."""
    blocked = file("file", "")
    for place in [blocked, blocked / "below", blocked / "further" / "below"]:
        refuses([], f"cannot write figures into {place}: {blocked} is no folder", figures=place)
    for name in names:
        taken = folder / f"taken-{name}"
        (taken / name).mkdir(parents=True)
        refuses([], f"cannot write the figure {name}", figures=taken)
    with open("/dev/full", "w") as full:
        refuses([], "cannot write to standard output", stdout=full)


def time_series():
    def csv(content, *words, more=()):
        refuses(["--csv", file("table.csv", content), *more], *words)

    refuses(["--csv", folder / "missing.csv"], "missing.csv: cannot be opened")
    refuses(["--csv", folder], "is a folder")
    refuses(["--csv", "x" * 300], "cannot be opened")
    refuses(["--csv", "/dev/zero"], "/dev/zero: is larger than")
    csv("", "table.csv: is empty")
    csv("\n \n\r\n", "table.csv: is empty")
    csv("a,b\n", "table.csv: holds no numbers")
    csv("1,2\n3\n", "line 2, has 1 columns, but the first line has 2")
    csv("a,b\n1,2\n\n3,4,5\n", "line 4, has 3 columns, but the first line has 2")
    csv("month,a\n2020,1\n2021\n", "line 3")
    csv("1,2\n3,x\n", "line 2, column 2: 'x' is not a finite number")
    csv("month,a\njan,1\nfeb,1.5.2\n", "line 3, column 2: '1.5.2'")
    for word in ["nan", "inf", "-inf", "1e999", "", "0x10", "--1", "+-1", "1 5", "\0", "\x1b[31m"]:
        csv(f"1,2\n3,{word}\n", "line 2, column 2", "is not a finite number")
    csv("1,2\n3," + "x" * 100000 + "\n", "line 2, column 2", "...")
    csv('a,b\n"1,2",3\n4,x\n', "line 3, column 2")
    csv('1,2\n"3"4,5\n', "line 2, column 1: text after the closing quote")
    csv('1,2\n3""4,5\n', "line 2, column 1: '3\"\"4' is not a finite number")
    csv('1,2\n3,"4\n', "line 2, column 2: a quote is not closed")
    csv("1" + ",1" * 100000 + "\n", "line 1, has more than 100000 columns")
    csv("1\n2\n" * 2049, "a sample of 4098 rows is too long; cut it with --window, at most 4096")
    csv("a,b\n1,7\n2,7\n3,7\n", "table.csv: column 2 (b) cannot be standardised: it is constant")
    csv("month,a,b\nx,1,7\ny,2,7\n", "column 3 (b) cannot be standardised: it is constant")
    csv("1,0.1\n2,0.1\n3,0.1\n", "column 2 cannot be standardised: it is constant")
    csv("1,2\n", "it is constant")
    csv("1e300\n-1e300\n", "column 1 cannot be standardised")
    csv("1e-320\n0\n", "column 1 cannot be standardised")

    table = "1,2\n2,1\n4,7\n5,2\n"
    csv(table, "--window is 5, but the table has 4 rows", more=["--window", "5"])
    csv(table, "--window must be 1 to", more=["--window", "0"])
    for name in ["latent", "heads"]:
        csv(table, f"--{name} must be 1 to", more=[f"--{name}", "0"])
        csv(table, f"--{name} must be 1 to", more=[f"--{name}", "9223372036854775808"])
        csv(table, f"--{name} needs a whole number", more=[f"--{name}", "two"])
    accepts(["--csv", file("crlf.csv", "\ufeffmonth,\"a, or b\",c\r\n2020-01-01,1,+2\r\n2020-02-01,3,1e0\r\n")], "(2x2)")
    accepts(["--csv", file("one.csv", "1\n2\n4\n")], "(bs, n, d_model) = (1, 3, 1)")
    accepts(["--csv", file("quoted.csv", 'm,"a ""or"" b"\nx,"1"\n"y, z",2 \n')], "y, z", "(2x1)")
    # Labels that XML does not allow: a control character, Latin-1, half a character, a surrogate.
    label = b"x\x01\xe9<&>\xe2\x82,1\n\xed\xa0\x80\xc3\xa9,2\n"
    accepts(["--csv", file("labels.csv", label), "--figures", folder / "labels"])
    for path in (folder / "labels").iterdir():
        text = xml.dom.minidom.parse(str(path)).toxml()
        for word in ["x\ufffd\ufffd&lt;&amp;", "\ufffd\u00e9"]:
            if word not in text:
                fail(["--csv", "labels.csv"], f"{path.name} does not hold {word!r}")
    accepts(["--window", "10"], "(bs, n, d_model) = (3, 10, 16)", "Left over at the end: 2 rows")
    accepts(["--latent", "4", "--heads", "3"], "drawn from the seed: 3 heads", "d_k = d_v = 4")
    weights()


def weights():
    golden = chapters / "07-time-series" / "golden"
    accepts(["--weights", golden], "time-series/golden")
    refuses(["--weights", golden, "--latent", "4"], "--latent is not the size")
    refuses(["--weights", golden, "--heads", "3"], "--heads is not the number")
    refuses(["--weights", folder / "missing"], "W_Q.1.csv: cannot be opened")
    refuses(["--weights", chapters / "08-image-patches" / "golden"], "for 256 features, but a token has 16")

    def spoilt(name, content, *words):
        global count
        count += 1
        copy = folder / f"weights{count}"
        copy.mkdir()
        for path in golden.glob("W_*.csv"):
            (copy / path.name).write_bytes(path.read_bytes())
        if content is None:
            (copy / name).unlink()
        else:
            (copy / name).write_text(content)
        refuses(["--weights", copy], *words)

    row = ",".join("0" for _ in range(16)) + "\n"
    spoilt("W_K.2.csv", None, "W_K.2.csv: cannot be opened")
    spoilt("W_O.csv", None, "W_O.csv: cannot be opened")
    spoilt("W_Q.2.csv", None, "W_O.csv: has 16 columns, but 1 heads with d_v = 8 need 8")
    spoilt("W_K.1.csv", row * 7, "W_K of head 1 is 7x16")
    spoilt("W_V.2.csv", row * 9, "W_V of head 2 is 9x16")
    spoilt("W_O.csv", row * 15, "W_O of head 1 is 15x8")
    spoilt("W_V.1.csv", row * 3 + "0\n", "W_V.1.csv, line 4, has 1 columns")


def image_patches():
    def pgm(content, *words, more=()):
        refuses(["--image", file("picture.pgm", content), *more], *words)

    refuses(["--image", folder / "missing.pgm"], "missing.pgm: cannot be opened")
    refuses(["--image", folder], "is a folder")
    refuses(["--image", "/dev/zero"], "/dev/zero: is larger than")
    pgm(b"", "picture.pgm: is empty")
    for header in [b"P6\n2 2\n255\n" + bytes(12), b"hello", b"P", b"\x89PNG\r\n"]:
        pgm(header, "no PGM picture: it does not begin with P5 or P2")
    pgm(b"P5", "the width is missing or no number")
    pgm(b"P52 2 255\n" + bytes(4), "the width is missing or no number")
    pgm(b"P5\n-2 2\n255\n" + bytes(4), "the width is missing or no number")
    pgm(b"P5\n2 x\n255\n" + bytes(4), "the height is missing or no number")
    pgm(b"P5\n2 2\n# no more", "the largest grey value is missing or no number")
    pgm(b"P5\n2 2\n255", "the header does not end")
    pgm(b"P5\n0 2\n255\n", "a side must have 1 to 4096 pixels")
    pgm(b"P5\n2 5000\n255\n" + bytes(10000), "a side must have 1 to 4096 pixels")
    pgm(b"P5\n99999999999999999999 2\n255\n", "a side must have 1 to 4096 pixels")
    pgm(b"P5\n2 2\n0\n" + bytes(4), "the largest grey value is 0")
    pgm(b"P5\n2 2\n65536\n" + bytes(8), "the largest grey value is 65536")
    pgm(b"P5\n2 2\n255\n" + bytes(3), "has 3 bytes of pixels, but a 2x2 picture needs 4")
    pgm(b"P5\n2 2\n255\n" + bytes(5), "has 5 bytes of pixels, but a 2x2 picture needs 4")
    pgm(b"P5\n2 2\n256\n" + bytes(4), "has 4 bytes of pixels, but a 2x2 picture needs 8")
    pgm(b"P5\n2 2\n100\n" + bytes([1, 2, 3, 101]), "a pixel is 101, above the largest grey value")
    pgm(b"P2\n2 2\n9\n1 2 3\n", "pixel (1, 1) is missing or no number")
    pgm(b"P2\n2 2\n9\n1 2 x 4\n", "pixel (1, 0) is missing or no number")
    pgm(b"P2\n2 2\n9\n1 2 3 4 5\n", "more than the pixels")
    pgm(b"P2\n2 2\n9\n1 2 3 10\n", "a pixel is 10, above the largest grey value")

    plain = b"P2\n# a comment\n4 6\n9\n" + b"1 2 3 4 5 6 7 8 9 0 1 2\n" * 2
    pgm(plain, "6x4, which does not divide into 4x2 patches", more=["--patches", "4", "2"])
    pgm(plain, "6x4, which does not divide into 2x3 patches", more=["--patches", "2", "3"])
    pgm(plain, "does not divide into 7x1 patches", more=["--patches", "7", "1"])
    pgm(plain, "--patches must be 1 to", more=["--patches", "0", "2"])
    pgm(plain, "--patches must be 1 to", more=["--patches", "2", "0"])
    pgm(plain, "--patches asks for 4160 patches, at most 4096", more=["--patches", "65", "64"])
    pgm(plain, "--patches needs a whole number", more=["--patches", "2", "two"])
    refuses(["--patches", "2"], "--patches needs C")
    refuses(["--noise", "128"], "--noise must be 0 to 127")
    accepts(["--image", file("plain.pgm", plain), "--patches", "3", "2"], "A picture of 6x4", "3x2 patches of 2x2")
    accepts(["--image", file("deep.pgm", b"P5 2 2 65535 " + bytes(range(8)))], "A picture of 2x2")
    accepts(["--noise", "0"], "This noise is too weak")


def laws():
    refuses(["--law", "4.99"], "there is no law 4.99; there are 1.0 1.1")
    refuses(["--law", "4"], "there is no law 4; there are 1.0 1.1")
    refuses(["--hand", "left"], "there is no hand left; there are loops algebra")
    refuses(["--world", "real"], "there is no world real; there are double float free homomorphic")
    refuses(["--law", "1.2", "--world", "free"], "law 1.2 is asked of loops algebra and in double float homomorphic only")
    refuses(["--law", "0.1", "--hand", "loops"], "law 0.1 is asked of algebra and in double float free only")
    refuses(["--seed", 2**64 - 1], "--seed is too large")
    for option in ["--json", "--coverage"]:
        refuses(["--law", "1.0", option, folder], "cannot")
        refuses(["--law", "1.0", option, folder / "missing" / "file"], "cannot write", "missing/file")
    refuses(["--law", "1.0", "--json", folder / "both", "--coverage", folder / "both"], "--json and --coverage name one file")
    link = folder / "link"
    link.symlink_to(folder / "linked")
    accepts(["--law", "1.0", "--json", link])
    if not link.is_symlink() or not (folder / "linked").is_file():
        fail(["--json", link], "the link was replaced, not followed")
    if (folder / "missing").exists() or list(folder.glob("*.unfinished")):
        fail(["--json"], "left something behind")
    refuses(["--law", "1.0", "--json", "/dev/full"], "cannot write /dev/full")
    with open("/dev/full", "w") as full:
        refuses(["--law", "1.0"], "cannot write to standard output", stdout=full)
    text = accepts(["--law", "4.2", "--hand", "algebra", "--world", "free"], "4.2 concat-equals-sum", "1 law, 0 of them")
    if "loops" in text or "double" in text:
        fail(["--law"], "asked of more than was chosen")
    if accepts(["--law", "1.0", "--seed", "9"]) == accepts(["--law", "1.0"]):
        fail(["--seed"], "changes nothing")


every_program()
if draws:
    figures()
own = {"time_series": time_series, "image_patches": image_patches, "laws": laws}
own.get(program.name, lambda: None)()
print(f"{program.name}: {count} inputs")
