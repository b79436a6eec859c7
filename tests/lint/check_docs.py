#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when the documentation and the tree disagree, or a source file names no licence.

usage: check_docs.py ROOT
- every path of this project that README.md or doc/*.md name, in `code` or as a link, exists
- the C++ example of README.md is tests/install/example.cpp, which tests compile and run, and at most
  20 lines that are not blank
- every source and script starts with an SPDX line (after a #! line)
- every environment variable that src/base/env.cpp names, or that a getenv() or build.sh reads, stands
  in doc/environment.md
"""
import pathlib
import re
import sys

TOP_FOLDERS = ("src", "include", "tests", "doc", "benchdnn_inputs", ".ci")
CODE_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
INLINE_CODE = re.compile(r"`([^`\s]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
ENV_NAME = re.compile(r'"(IOTADNN_\w+)"')
GETENV = re.compile(r'getenv\("(IOTADNN_\w+)"')
SHELL_ENV = re.compile(r"\$\{(IOTADNN_\w+):-")
SPDX = "SPDX-License-Identifier: Apache-2.0"
SCRIPT_SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".inc", ".py", ".sh", ".cmake", ".awk", ".in", ".map"}
EXAMPLE = "tests/install/example.cpp"
EXAMPLE_LINES = 20


def pages(root):
    return [root / "README.md", *sorted((root / "doc").glob("*.md"))]


def exists(base, path):
    """A path with `*` is a pattern that must match something."""
    return any(base.glob(path)) if "*" in path else (base / path).exists()


def dead_paths(root):
    for page in pages(root):
        text = page.read_text()
        prose = CODE_BLOCK.sub("", text)
        for path in INLINE_CODE.findall(prose):
            is_ours = path.split("/")[0] in TOP_FOLDERS and "/" in path
            if is_ours and not set(path) & set("<>{}$=:") and not exists(root, path):
                yield f"{page.relative_to(root)}: `{path}` does not exist"
        for target in LINK.findall(prose):
            if "://" not in target and not exists(page.parent, target):
                yield f"{page.relative_to(root)}: the link to {target} is dead"


def example_of_readme(root):
    blocks = [code for language, code in CODE_BLOCK.findall((root / "README.md").read_text())
              if language == "cpp"]
    source = (root / EXAMPLE).read_text().split("\n", 1)[1]
    if source not in blocks:
        yield f"README.md: no cpp block is equal to {EXAMPLE} without its first line"
    count = sum(bool(line.strip()) for line in source.splitlines())
    if count > EXAMPLE_LINES:
        yield f"{EXAMPLE}: {count} lines, a reader's patience ends at {EXAMPLE_LINES}"


def has_spdx(path):
    lines = path.read_text(errors="replace").split("\n", 2)
    return SPDX in (lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0])


def missing_spdx(root):
    files = [root / "CMakeLists.txt", root / "build.sh", root / ".ci/run"]
    for folder in ("src", "include", "tests", "doc", "benchdnn_inputs"):
        files += [p for p in sorted((root / folder).rglob("*"))
                  if p.suffix in SCRIPT_SUFFIXES or p.name == "CMakeLists.txt"]
    for path in files:
        if not has_spdx(path):
            yield f"{path.relative_to(root)}: the first line is not '{SPDX}'"


def unwritten_variables(root):
    page = (root / "doc/environment.md").read_text()
    names = set(ENV_NAME.findall((root / "src/base/env.cpp").read_text()))
    names.update(SHELL_ENV.findall((root / "build.sh").read_text()))
    for folder in ("src", "tests"):
        for path in (root / folder).rglob("*"):
            if path.suffix in (".h", ".cpp"):
                names.update(GETENV.findall(path.read_text()))
    for name in sorted(names):
        if f"`{name}`" not in page:
            yield f"doc/environment.md: {name} is missing"


def problems(root):
    for check in (dead_paths, example_of_readme, missing_spdx, unwritten_variables):
        yield from check(root)


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
