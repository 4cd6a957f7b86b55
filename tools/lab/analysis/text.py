"""Numbers as text, tables in Markdown, templates, and pages in HTML.

Numbers are rounded half up from their shortest decimal form: 0.125 is 0.13 and not 0.12.
"""

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

MISSING = "–"
TEMPLATES = Path(__file__).resolve().parent / "templates"


def fixed(value, digits, grouping=""):
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return format(rounded, grouping + "f")


def number(figure):
    """With three significant digits, as `0.396`, `1,842` or, of an interval, `0.396 [0.342, 0.450]`."""
    value = getattr(figure, "value", figure)
    digits = 0 if value == 0 else min(max(2 - math.floor(math.log10(abs(value))), 0), 6)
    if figure is value or not figure.is_bounded():
        return fixed(value, digits, ",")
    return f"{fixed(value, digits, ',')} [{fixed(figure.low, digits, ',')}, {fixed(figure.high, digits, ',')}]"


def percent(share):
    return number(100 * share) + " %"


def whole(value):
    return str(math.floor(value + 0.5))


def quoted(text):
    """As code in Markdown."""
    return "`" + text.replace("`", "'") + "`"


def table(columns, rows):
    """A table in Markdown; empty if it has no rows.

    A column is a header and the function that makes a cell of a row. A header that begins with `>`
    aligns its column at the right.
    """
    if not rows:
        return ""
    headers = [header.lstrip(">") for header, _ in columns]
    rules = "|".join("--:" if header.startswith(">") else "---" for header, _ in columns)
    lines = [[cell(row) for _, cell in columns] for row in rows]
    text = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in [headers] + lines]
    return "\n".join([text[0], f"|{rules}|"] + text[1:])


def template(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")


def fill(text, figure):
    """Replaces placeholders such as `{{table drift}}` by the figure of their words.

    A section (`## `) whose figures are all empty is left out.
    """
    return "".join(_filled(section, figure) for section in re.split(r"(?m)^(?=## )", text))


def _filled(section, figure):
    figures = []

    def replace(placeholder):
        words = placeholder.group(1).split(" ")
        value = figure(words)
        if len(words) > 1:
            figures.append(value)
        return value

    filled = re.sub(r"\{\{([^}]+)}}", replace, section)
    if section.startswith("## ") and figures and not any(figures):
        return ""
    return re.sub(r"\n{3,}", "\n\n", filled)


_REGION = re.compile(r"<!--(\w[\w -]*)-->(\n?).*?<!---->", re.DOTALL)


def regenerated(text, figure):
    """Replaces what stands between `<!--table drift-->` and `<!---->` by the figure of these words."""

    def replace(region):
        words, line = region.groups()
        return f"<!--{words}-->{line}{figure(words.split(' '))}{line}<!---->"

    if text.count("<!--") != 2 * len(_REGION.findall(text)):
        raise ValueError("expected pairs of <!--WORDS--> and <!---->, found another comment")
    return _REGION.sub(replace, text)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def page(title, markdown):
    """A page that needs no other file; the Markdown may contain charts as HTML."""
    values = {"title": escaped(title), "charts": template("chart.css"), "body": html(markdown)}
    return re.sub(r"\{\{(\w+)}}", lambda it: values[it.group(1)], template("page.html"))


def html(markdown):
    """The part of Markdown that the lab's pages use: headings, paragraphs, lists, tables, raw blocks."""
    return "".join(_block(block.split("\n")) for block in re.split(r"\n{2,}", markdown.strip("\n")) if block)


def _block(lines):
    heading = re.match(r"(#+) (.*)", lines[0])
    if heading:
        level = len(heading.group(1))
        return f"<h{level}>{_inline(heading.group(2))}</h{level}>\n"
    if lines[0].startswith("<"):
        return "\n".join(lines) + "\n"
    if lines[0].startswith("- "):
        return "<ul>\n" + "".join(f"<li>{_inline(line[2:])}</li>\n" for line in lines) + "</ul>\n"
    if lines[0].startswith("|"):
        return _table(lines)
    return f"<p>{_inline(chr(10).join(lines))}</p>\n"


def _table(lines):
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    aligned = [' align="right"' if rule.endswith(":") else "" for rule in rows[1]]

    def row(tag, cells):
        return (
            "<tr>\n"
            + "".join(f"<{tag}{align}>{_inline(cell)}</{tag}>\n" for align, cell in zip(aligned, cells))
            + "</tr>\n"
        )

    head = "<thead>\n" + row("th", rows[0]) + "</thead>\n"
    body = "<tbody>\n" + "".join(row("td", cells) for cells in rows[2:]) + "</tbody>\n"
    return f'<div class="table" role="group" aria-label="Table" tabindex="0">\n<table>\n{head}{body}</table>\n</div>\n'


_INLINE = re.compile(
    r"`(?P<code>[^`]*)`|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*|\[(?P<label>[^]]*)]\((?P<url>[^)]*)\)|\\(?P<char>[|`*\\])"
)


def _inline(text):
    parts, end = [], 0
    for match in _INLINE.finditer(text):
        parts.append(escaped(text[end : match.start()]).replace('"', "&quot;"))
        end = match.end()
        kind = match.lastgroup
        if kind == "code":
            parts.append("<code>" + escaped(match["code"].replace("\\|", "|")).replace('"', "&quot;") + "</code>")
        elif kind == "url":
            url = escaped(match["url"]).replace('"', "&quot;")
            parts.append(f'<a href="{url}">{_inline(match["label"])}</a>')
        elif kind == "char":
            parts.append(escaped(match["char"]))
        else:
            parts.append(f"<{kind}>{_inline(match[kind])}</{kind}>")
    return "".join(parts) + escaped(text[end:]).replace('"', "&quot;")
