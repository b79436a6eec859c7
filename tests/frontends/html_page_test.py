#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `iotadnn inspect --html` in a browser without a window, and looks at what became of
them there: what is drawn and in which colours, what the keyboard does, and that nothing of a hostile
model became markup or was fetched.

usage: html_page_test.py IOTADNN    (exit code 77: there is no Chromium)
"""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
EVIL = "</title></script><script>document.body.innerHTML=1</script>\"'><img src=http://x.invalid/>"
SHAPE = [8, 8]


def port(number, dtype, shape=SHAPE, **more):
    strides = [8, 1] if shape else []
    return {"id": number, "dtype": dtype, "shape": shape, "stride": strides,
            "layout_type": "strided", "property_type": "undef", **more}


def scalar(number, value):
    return port(number, "f32", [], property_type="host_scalar", value=value)


def op(number, kind, inputs, output, **attrs):
    return {"id": number, "name": f"{EVIL} {number}", "kind": kind, "inputs": inputs,
            "outputs": [output],
            "attrs": {k: {"type": "s64", "value": v} for k, v in attrs.items()}}


def model():
    """A causal mask, what iotadnn leaves to its host, and a scaled identity that is added."""
    x, row, column = port(0, "f32"), port(1, "s32"), port(2, "s32")
    mask, masked, joined = port(3, "boolean"), port(5, "f32"), port(6, "f32", [16, 8])
    one, scaled, y = (port(number, "f32", [16, 8]) for number in (7, 9, 10))
    return {"version": "3.14.0", "engine_kind": "cpu", "fpmath_mode": "strict",
            "fpmath_mode_apply_to_int": "false", "input_ports": [0], "output_ports": [10],
            "graph": [op(0, "GenIndex", [x], row, axis=0), op(1, "GenIndex", [x], column, axis=1),
                      op(2, "GreaterEqual", [row, column], mask),
                      op(3, "Select", [mask, x, scalar(4, "-inf")], masked),
                      op(4, "Concat", [masked, masked], joined, axis=0),
                      op(5, "EyeLike", [joined], one, k=0),
                      op(6, "Multiply", [one, scalar(8, 0.5)], scaled),
                      op(7, "Add", [joined, scaled], y)]}


class Page(html.parser.HTMLParser):
    """The elements of a page, each with its attributes and the text directly in it."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append({"tag": tag, "text": "", **dict(attrs)})
        if tag not in ("meta", "input", "br", "img", "link"):
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()["tag"] != tag:
            pass

    def handle_data(self, data):
        if self.open:
            self.open[-1]["text"] += data

    def all(self, tag, name=None):
        return [e for e in self.elements if e["tag"] == tag and
                (name is None or name in (e.get("class") or "").split())]

    def by_id(self, name):
        return next((e for e in self.elements if e.get("id") == name), None)


class Browser:
    def __init__(self, program, folder):
        self.program, self.folder, self.runs = program, folder, 0

    def options(self):
        self.runs += 1
        return [self.program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--disable-dev-shm-usage", "--disable-extensions",
                f"--user-data-dir={self.folder / f'profile{self.runs}'}"]

    def dom(self, url, width=1300):
        done = subprocess.run(self.options() + [f"--window-size={width},900", "--dump-dom", url],
                              capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and "</html>" in done.stdout, done.stderr
        return Page(done.stdout)


class Problems(list):
    def expect(self, is_right, what):
        if not is_right:
            self.append(what)

    def equal(self, got, want, what):
        self.expect(got == want, f"{what}: {got!r}, expected: {want!r}")


def write_page(iotadnn, model, content):
    page = model.with_suffix(".html")
    model.write_bytes(content)
    subprocess.run([iotadnn, "inspect", str(model), "--html", str(page)], check=True,
                   stdout=subprocess.DEVNULL)
    return page


def check_drawing(page, problems):
    boxes = page.all("g", "v")
    problems.equal(len(boxes), 8 + 2 + 2, "boxes: nodes, constants, ports")
    problems.equal(len(page.all("path", "e")), 1 + 1 + 2 + 3 + 2 + 1 + 2 + 2 + 1,
                   "edges: what the nodes read in their order, and the output")
    problems.equal(len(page.all("title")), 1, "titles: the script takes those of boxes")
    claimed = page.all("g", "claimed")
    problems.equal(len(claimed), 7, "claimed nodes")
    problems.equal(len(page.all("g", "interpreted")), 1, "interpreted nodes")
    hue = {box["data-p"]: box["style"] for box in claimed}
    problems.equal(len(set(hue.values())), 2, "colours of two partitions")
    legend = {item["data-p"]: item["style"] for item in page.all("li", "claimed")}
    problems.equal(legend, hue, "the legend's colours")
    problems.equal(len(page.all("details", "partition")), 2, "partitions with their programs")


def check_hostile_names(page, problems):
    problems.equal(len(page.all("script")), 1, "scripts")
    problems.equal(len(page.all("img")), 0, "elements of a name's markup")
    labels = " ".join(box["aria-label"] for box in page.all("g", "v"))
    problems.equal(labels.count(f"node: {EVIL} "), 8, "nodes that say their names in full")


def check_requests(page, text, problems):
    for element in page.elements:
        for name in ("src", "href", "xlink:href", "srcset", "action"):
            problems.expect(name not in element, f"<{element['tag']}> has {name}")
    outside_names = text.replace(EVIL.replace("&", "&amp;").replace("<", "&lt;").replace(
        ">", "&gt;").replace('"', "&quot;").replace("'", "&#39;"), "")
    problems.expect(not re.search(r"https?:|url\(|@import|//[a-z]+\.[a-z]", outside_names),
                    "the page refers to something outside of it")
    policy = [m.get("content", "") for m in page.all("meta") if m.get("http-equiv")]
    problems.equal([p.startswith("default-src 'none';") for p in policy], [True], "the policy")


def check_details(browser, page, box, problems):
    """page.html#vI focuses box I, whose details are shown and whose edges are marked."""
    focused = browser.dom(f"{page.as_uri()}#{box}")
    terms = [e["text"] for e in focused.all("dt")]
    values = [e["text"] for e in focused.all("dd")]
    problems.expect({"node", "op", "fate", "runner"} <= set(terms), f"headings are {terms}")
    problems.expect(f"{EVIL} 4" in values and "Concat" in values and "interpreter" in values,
                    f"details are {values}")
    problems.equal(len(focused.all("path", "on")), 4, "marked edges of the box in focus")
    problems.equal(focused.by_id(box)["tabindex"], "0", "the box's place in the tab order")


KEYS = """<script>
const key = (box, name) => box.dispatchEvent(
    new KeyboardEvent('keydown', {key: name, bubbles: true}));
const at = [];
const step = name => { key(document.activeElement, name); at.push(document.activeElement.id); };
document.querySelector('.v.interpreted').focus();
['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowRight'].forEach(step);
const hovered = document.querySelector('.v.constant');
document.activeElement.blur();
hovered.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
const find = document.getElementById('find');
find.value = 'op: EyeLike';
find.dispatchEvent(new Event('input'));
document.querySelector('.legend [data-p]').click();
document.body.dataset.at = at.join(' ');
document.body.dataset.start = document.querySelector('.v.interpreted').id;
</script>"""


def check_keys(browser, page, problems):
    """Arrow keys, hovering, finding and picking, by a script at the end of a copy of the page."""
    copy = page.with_name("keys.html")
    copy.write_text(page.read_text().replace("</body>", KEYS + "</body>"))
    dom = browser.dom(copy.as_uri())
    body = dom.all("body")[0]
    start, at = body["data-start"], body["data-at"].split()
    problems.equal(at[1], start, "up and down again")
    problems.equal(at[3], start, "down and up again")
    problems.expect(at[0] != start and at[2] not in (start, at[0]), f"arrow keys led over {at}")
    problems.equal(at[4], f"v{int(start[1:]) + 1}", "right goes to the next box")
    problems.expect("constant" in [e["text"] for e in dom.all("dt")], "hovering shows details")
    problems.equal(len(dom.all("g", "hit")), 1, "boxes found")
    problems.equal(dom.by_id("found")["text"], "1 found", "the number of boxes found")
    problems.equal(len(dom.all("svg", "pick")), 1, "a picked partition dims the others")
    problems.expect(1 < len(dom.all("g", "picked")) < 7, "boxes of the picked partition")


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("skipped: there is no Chromium (Debian package chromium)")
        return SKIPPED
    problems = Problems()
    with tempfile.TemporaryDirectory(prefix="iotadnn_page_", ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        browser = Browser(program, folder)
        page = write_page(sys.argv[1], folder / "model.json", json.dumps(model()).encode())
        dom = browser.dom(page.as_uri())
        check_drawing(dom, problems)
        check_hostile_names(dom, problems)
        check_requests(dom, page.read_text(), problems)
        if not problems:  # the others rely on what these have seen
            check_details(browser, page, dom.all("g", "interpreted")[0]["id"], problems)
            check_keys(browser, page, problems)
    print("\n".join(problems) if problems else "the pages are right")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
