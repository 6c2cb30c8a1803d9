"""Make a bash script of the commands in a document, in order.

Blocks marked sh and python run in one directory. A block whose first line begins with
"# not tested:" and a reason is skipped and reported. An sdca command in any other
block is an error, since no test would run it.
"""
import re
import sys

COMMAND = re.compile(r"^ *(build/)?(sdca|mpirun|srun) ")
NOT_TESTED = re.compile(r"^# not tested: \S")


def blocks(lines):
    """(number of its first line, language, lines) of each code block."""
    language, block = None, []
    for number, line in enumerate(lines, start=1):
        fence = re.match(r"^```(\w*)\s*$", line)
        if fence and language is None:
            language, block = fence.group(1), []
        elif fence:
            yield number - len(block), language, block
            language = None
        elif language is not None:
            block.append(line)
        elif line.startswith("    "):
            yield number, "", [line]
    if language is not None:
        sys.exit(f"{sys.argv[1]}: unterminated code block")


with open(sys.argv[1], encoding="utf-8") as document:
    LINES = document.read().splitlines()
for first, marked, code in blocks(LINES):
    place = f"{sys.argv[1]}:{first}"
    if marked in ("sh", "python") and code and NOT_TESTED.match(code[0]):
        print(f"echo '{place}: {code[0][2:]}'")
    elif marked == "sh":
        print(f"place='{place}'", *code, sep="\n")
    elif marked == "python":
        print(f"place='{place}'", "\"$python\" - <<'END_OF_PYTHON'", *code, "END_OF_PYTHON", sep="\n")
    elif any(COMMAND.match(line) for line in code):
        sys.exit(f"{place}: a command in a block not marked sh is not tested")
