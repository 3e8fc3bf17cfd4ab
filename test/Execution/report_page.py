"""Judges a report's page by the report's JSON, or by the one in it: report_page.py PAGE [JSON]."""

import html.parser
import json
import math
import pathlib
import re
import sys

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """Tables by id as lists of rows of texts; the titles of marks; the embedded JSON."""

    def __init__(self):
        super().__init__()
        self.open, self.tables, self.titles, self.json = [], {}, [], ""
        self.rows = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name, value in attributes.items():
            assert name not in ("src", "srcset") and not name.startswith("on"), (tag, name, value)
            assert name != "href" or value.startswith("#"), (tag, name, value)
        if tag in VOID:
            return
        if tag == "table":
            self.rows = self.tables.setdefault(attributes["id"], [])
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "title" and "svg" in self.open:
            self.titles.append("")
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            if self.open[-1] != "title":
                self.rows[-1][-1] += data
        if self.open and self.open[-1] == "title" and "svg" in self.open:
            self.titles[-1] += data
        if self.open and self.open[-1] == "script" and data.lstrip().startswith("{\"compiler"):
            self.json += data


def decibels(value):
    return "exact" if value is None else f"{value:.2f}"


def percent(value):
    return f"{100 * value:.3f}"


page_text = pathlib.Path(sys.argv[1]).read_text()
assert not re.search(r"https?://|url\(|@import|\bfetch\(", page_text), "the page asks the network"
page = Page()
page.feed(page_text)
page.close()
assert not page.open, f"{page.open} are not closed"
report = json.loads(page.json)
assert len(sys.argv) < 3 or json.loads(pathlib.Path(sys.argv[2]).read_text()) == report

names = [recipe["name"] for recipe in report["recipes"]]
pick = lambda entry, name: entry if name == names[0] else entry["rivals"][name]
cells = 0

rows = page.tables["recipes"][2:]
assert [row[0].strip() for row in rows] == names
for row, recipe in zip(rows, report["recipes"]):
    optional = lambda value, text: "–" if value is None else text.format(value)
    expected = [optional(recipe["alpha_product"][role], "{:.5f}") for role in ("fprop", "dgrad")]
    expected += [optional(recipe["sqnr_db"][role], "{:.2f}") for role in ("fprop", "dgrad", "wgrad")]
    expected += [percent(recipe["zeroed"]), percent(recipe["clipped"])]
    assert row[1:] == expected, (row, expected)
    cells += len(expected)

gemms = {gemm["gemm"]: gemm for gemm in report["gemms"]}
left = {gemm["gemm"]: gemm for gemm in report["left"]}
rows = page.tables["gemms"][2:]
assert {int(row[0]) for row in rows} == {*gemms, *left}
for row in rows:
    number = int(row[0])
    if number in left:
        assert row[1:3] == [left[number]["role"], left[number]["layer"]]
        assert row[4] == "left: " + left[number]["reason"] and not any(row[5:])
        continue
    gemm = gemms[number]
    judged = [pick(gemm, name) for name in names]
    expected = ["left" if e is None else decibels(e["sqnr_db"]) for e in judged]
    expected += ["left" if e is None else f"{e['alpha']:.5f}" for e in judged]
    assert row[5:] == expected, (row, expected)
    cells += len(expected)

rows = iter(page.tables["operands"][1:])
for gemm in report["gemms"]:
    for operand in gemm["operands"]:
        for name in names:
            row, entry, of = next(rows), pick(operand, name), pick(gemm, name)
            assert row[0] == str(gemm["gemm"]) and row[3][:3] == ("lhs", "rhs")[operand["operand"]]
            if entry is None:
                assert row[5] == "left" and not any(row[6:])
                continue
            expected = [decibels(entry["sqnr_db"]), f"{entry['alpha']:.5f}", percent(entry["clipped"]),
                        percent(entry["zeroed"]), f"{of['alpha_product']:.5f}"]
            assert row[6:] == expected, (row, expected)
            cells += len(expected)
assert next(rows, None) is None
assert [row[3:] for row in page.tables.get("left", [[]])[1:]] == [[g["reason"], g["message"]] for g in report["left"]]

# A mark for each finite number of each plot; a plot of nothing but zeros is a sentence.
marks = [title for title in page.titles if ", gemm " in title]
for pattern, field, text, roles in [
    ("product of alpha", "alpha_product", "{:.5f}", ("fprop", "dgrad")),
    (": alpha", "alpha", "{:.5f}", ("fprop", "dgrad", "wgrad")),
    (" dB", "sqnr_db", "{:.2f}", ("fprop", "dgrad", "wgrad")),
    (" become zero", "zeroed", "{:.3f}", ("fprop", "dgrad", "wgrad")),
    (" saturate", "clipped", "{:.3f}", ("fprop", "dgrad", "wgrad")),
]:
    scale = 100 if field in ("zeroed", "clipped") else 1
    values = [(name, gemm["gemm"], pick(gemm, name)[field]) for gemm in report["gemms"] if gemm["role"] in roles
              for name in names if pick(gemm, name)]
    if scale == 100 and not any(value for _, _, value in values):
        values = []
    expected = sorted((name or "this module", number, text.format(scale * value))
                      for name, number, value in values if value is not None)
    drawn = sorted((title.split(", gemm ")[0], int(title.split(", gemm ")[1].split()[0]),
                    re.findall(r"[-0-9.]+(?= dB| %|$)", title)[-1]) for title in marks if pattern in title)
    assert drawn == expected, (field, drawn, expected)
assert all(math.isfinite(float(value)) for value in re.findall(r" (?:cx|cy|x|y|x1|y1)='([^']*)'", page_text))
print(f"{cells} cells and {len(marks)} marks as in the JSON")
