"""Compare docs/errors.md with the sources, and with what the program has said.

Usage: error_messages.py TREE SAID... - each SAID has lines of an exit status, a tab and a sentence.
Every sentence of an SDCA_FAIL has a row in the table of its exit status, every row is such a
sentence, every sentence that was said has a row, and every row was said, except those
that name another test. Prints what is wrong, one line each.
"""
import os
import re
import sys

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
CONVERSION = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z)?[a-zA-Z]")
ANYTHING = re.compile(r"[A-Z]+|\(s\)")  # of a row: what stands for something, or a plural
TABLE_ROW = re.compile(r"^\| `(.*?)` \|(.*)\|(.*)\|(.*)\|$")


def arguments(text):
    """The arguments of the call whose opening bracket stands before text."""
    parts, depth, begin = [], 0, 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[(),]', text):
        if token.group() == "(":
            depth += 1
        elif token.group() == "," and depth == 0:
            parts.append(text[begin:token.start()].strip())
            begin = token.end()
        elif token.group() == ")":
            if depth == 0:
                return parts + [text[begin:token.start()].strip()]
            depth -= 1
    raise ValueError(text[:80])


def pattern(fragments):
    """What consists of these fragments, with anything between them."""
    return re.compile(".*".join(re.escape(part) for part in fragments), re.DOTALL)


def weight(row):
    """How much a row says for sure: of those that fit, the one with most letters is meant."""
    return len(ANYTHING.sub("", row))


def is_row_of(row, sentence):
    """Does the row stand for this sentence of the sources?

    What follows the sentence there is a defect's place, or what convert adds to it, and what
    precedes it convert's file and line. All that may not fit into memory is one row.
    """
    shape = pattern(CONVERSION.split(sentence))
    row = row.removesuffix(" (FILE:N)")
    inner = row.removeprefix("FILE, line N: ").removesuffix("; --task regression takes any")
    return bool(shape.fullmatch(row) or shape.fullmatch(inner)
                or (row == "no memory WHAT" and sentence.startswith("no memory ")))


def exit_statuses(tree):
    """The exit status by the name of a status."""
    with open(f"{tree}/include/sdca/status.h", encoding="utf-8") as header:
        return dict(re.findall(r"X\((\w+), (\d+),", header.read()))


def sentences(tree):
    """(place, exit status or None if that is a variable, sentence) of every SDCA_FAIL."""
    code_of = exit_statuses(tree)
    for folder, _, names in sorted(os.walk(f"{tree}/src")):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name == "status.h":  # the definition of SDCA_FAIL
                continue
            with open(path, encoding="utf-8") as source:
                text = source.read()
            for call in re.finditer(r"\bSDCA_FAIL\(", text):
                status, sentence = arguments(text[call.end():])[:2]
                place = f"{os.path.relpath(path, tree)}:{text.count(chr(10), 0, call.start()) + 1}"
                words = "".join(STRING.findall(sentence)).replace('\\"', '"').replace("%%", "%")
                yield place, code_of.get(status.removeprefix("SDCA_")), words


def table(tree):
    """(exit status, sentence, the test it names) of every row."""
    code = None
    with open(f"{tree}/docs/errors.md", encoding="utf-8") as document:
        for line in document:
            heading = re.match(r"## (\d+):", line)
            row = TABLE_ROW.match(line.rstrip())
            if heading:
                code = heading.group(1)
            elif row:
                yield code, row.group(1), row.group(4).strip().strip("`")


def said(paths):
    """(exit status, sentence) of what the program has said."""
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                yield tuple(line.rstrip("\n").split("\t", 1))


def check(tree, logs):
    """Yield what is wrong."""
    rows = [(code, text, test, pattern(ANYTHING.split(text))) for code, text, test in table(tree)]
    known = list(sentences(tree))
    provoked = set()
    for number, words in sorted(set(said(logs))):
        fitting = [text for code, text, _, shape in rows if code == number and shape.fullmatch(words)]
        if fitting:
            provoked.add((number, max(fitting, key=weight)))
        else:
            yield f"docs/errors.md, section {number}: no row for `{words}`"

    for place, code, text in known:
        if not any(code in (None, row[0]) and is_row_of(row[1], text) for row in rows):
            words = CONVERSION.sub("WORD", text)
            yield f"{place}: no row in docs/errors.md, section {code}: | `{words}` | CAUSE | WHAT HELPS | |"
    for code, text, test, _ in rows:
        if not any(number in (None, code) and is_row_of(text, words) for _, number, words in known):
            yield f"docs/errors.md, section {code}: nothing in the sources says `{text}`"
        if test == "" and (code, text) not in provoked:
            yield f"docs/errors.md, section {code}: no test provokes `{text}`"
        if test != "" and not test.startswith("none: ") and not os.path.exists(f"{tree}/{test}"):
            yield f"docs/errors.md, section {code}: there is no test {test}"


if __name__ == "__main__":
    WRONG = list(check(sys.argv[1], sys.argv[2:]))
    print(*WRONG, sep="\n")
    sys.exit(1 if WRONG else 0)
