"""Compare docs/errors.md with the sources, and with messages recorded by other tests.

Usage: error_messages.py TREE SAID... - each line of SAID: exit status, tab, message.
Every message of an SDCA_FAIL has a row in the table of its exit status, and vice versa.
Every recorded message has a row, and every row was recorded, except rows
that name another test. Prints each error on one line.
"""
import os
import re
import sys

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
CONVERSION = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z)?[a-zA-Z]")
ANYTHING = re.compile(r"[A-Z]+|\(s\)")  # in a row: a placeholder or an optional plural
TABLE_ROW = re.compile(r"^\| `(.*?)` \|(.*)\|(.*)\|(.*)\|$")


def arguments(text):
    """The arguments of the call whose opening parenthesis precedes text."""
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
    """A pattern of these fragments, with any text between them."""
    return re.compile(".*".join(re.escape(part) for part in fragments), re.DOTALL)


def weight(row):
    """Number of literal letters in a row; the matching row with most letters is chosen."""
    return len(ANYTHING.sub("", row))


def is_row_of(row, sentence):
    """Whether the row matches this message of the sources.

    An internal error may append its location. convert may append text and prepend
    file and line. All messages about memory share one row.
    """
    shape = pattern(CONVERSION.split(sentence))
    row = row.removesuffix(" (FILE:N)")
    inner = row.removeprefix("FILE, line N: ").removesuffix("; --task regression takes any")
    return bool(shape.fullmatch(row) or shape.fullmatch(inner)
                or (row == "no memory WHAT" and sentence.startswith("no memory ")))


def exit_statuses(tree):
    """Exit statuses by status name."""
    with open(f"{tree}/include/sdca/status.h", encoding="utf-8") as header:
        return dict(re.findall(r"X\((\w+), (\d+),", header.read()))


def sentences(tree):
    """(place, exit status or None if it is a variable, message) of every SDCA_FAIL."""
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
    """(exit status, message, the test it names) of every row."""
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
    """(exit status, message) of every recorded message."""
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                yield tuple(line.rstrip("\n").split("\t", 1))


def check(tree, logs):
    """Yield errors."""
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
            yield f"docs/errors.md, section {code}: no source has `{text}`"
        if test == "" and (code, text) not in provoked:
            yield f"docs/errors.md, section {code}: no test provokes `{text}`"
        if test != "" and not test.startswith("none: ") and not os.path.exists(f"{tree}/{test}"):
            yield f"docs/errors.md, section {code}: there is no test {test}"


if __name__ == "__main__":
    WRONG = list(check(sys.argv[1], sys.argv[2:]))
    print(*WRONG, sep="\n")
    sys.exit(1 if WRONG else 0)
