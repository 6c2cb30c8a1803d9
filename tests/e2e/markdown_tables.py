"""Parse the tables of a Markdown document."""


def read(path):
    """Sections by title; each is a list of tables, each a list of rows by column."""
    sections, header, tables = {}, None, []
    for line in open(path):
        if line.startswith("## "):
            tables = sections[line[3:].strip()] = []
            header = None
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if header is None:
                header = cells
                assert len(set(header)) == len(header), f"duplicate name in {header}"
                tables.append([])
            elif set(line.strip()) != set("|-"):
                assert len(cells) == len(header), f"{len(cells)} cells under {header}: {line}"
                tables[-1].append(dict(zip(header, cells)))
        else:
            header = None
    return sections
