#!/usr/bin/env python3
"""Plants bugs, one after another, in a clone of the last commit and runs the unchanged tests on each.

    tools/torture/mistakes/plant.py [NAME…]    NAME: of a patch beside this file; default: all

A patch to production code compiles, and its header names the tests that must detect it:

    mistake: the caller is answered before the commit
    tests:   platform SingleWriterTest              module and class, or class#method; one that ends
                                                    in IT needs the services' jars
    says:    is answered only after its commit      what the assertion must say, a regular expression:
                                                    a promise, not that time ran out

A bug is detected if an assertion on the guarantee fails; a compile error, a failed start or a timeout does
not count. Without a bug the same tests must pass. Results are in target/results/mistakes.csv, which keeps
earlier results of other bugs; the output of the builds is in target/mistakes.log.
"""
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

PATCHES = Path(__file__).resolve().parent
HOME = PATCHES.parents[2]
TREE = HOME / "target/mistakes"
STORED = HOME / "docs/guarantees/results/mistakes.csv"
RESULTS = HOME / "target/results/mistakes.csv"
COLUMNS = ["mistake", "what", "seen", "test", "assertion", "commit"]
SECONDS = 600


def header(patch):
    """What is wrong, the module, its tests, and what the assertion must say."""
    text = patch.read_text(encoding="utf-8")
    what, tests, says = (re.search(rf"^{it}:\s*(.*?)\s*$", text, re.M)[1] for it in ("mistake", "tests", "says"))
    return what, *tests.split(), says


def rows(file):
    with open(file, encoding="utf-8", newline="") as lines:
        return {row["mistake"]: row for row in csv.DictReader(lines)}


def run(*command):
    """The exit code; 1 if it took too long."""
    with open(HOME / "target/mistakes.log", "ab") as log, subprocess.Popen(
        command, cwd=TREE, stdout=log, stderr=log, start_new_session=True
    ) as process:
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            return 1
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def reports(module):
    return [TREE / module / "target" / it for it in ("surefire-reports", "failsafe-reports")]


def run_tests(module, tests):
    """Whether they ran and passed."""
    for folder in reports(module):
        shutil.rmtree(folder, ignore_errors=True)
    goal = ["-Dtest=None", f"-Dit.test={tests}", "-Dtests.long", "verify"] if "IT" in tests else [f"-Dtest={tests}", "test"]
    optional = ["-Dsurefire.failIfNoSpecifiedTests=false", "-Dfailsafe.failIfNoSpecifiedTests=false"]
    options = ["-q", "-B", "-ntp", "-P", "!checks", "-Dtests.tools=true", "-pl", module, "-am", *optional]
    return run("./mvnw", *options, *goal) == 0 and any(True for it in reports(module) for _ in it.glob("TEST-*.xml"))


def find_failure(module, says):
    """The test whose assertion has failed as expected, and what it said; other failures are `error` elements."""
    for report in (it for folder in reports(module) for it in sorted(folder.glob("TEST-*.xml"))):
        for test in xml.parse(report).iter("testcase"):
            for failure in test.iter("failure"):
                said = re.search(says, failure.text or "", re.S)
                if said and "Assertion" in failure.get("type", ""):
                    name = test.get("classname").rpartition(".")[2] + "." + test.get("name")
                    return name, " ".join(said[0].split())
    return None


def main(names):
    unknown = [it for it in names if not (PATCHES / f"{it}.patch").exists()]
    if unknown:
        sys.exit(f"unknown planted bugs: {', '.join(unknown)}; {PATCHES} has a patch for each")
    if not TREE.is_dir():
        TREE.parent.mkdir(exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--shared", HOME, TREE], check=True)
    run("git", "fetch", "-q", "origin", "HEAD")
    run("git", "reset", "-q", "--hard", "FETCH_HEAD")
    RESULTS.parent.mkdir(exist_ok=True)
    describe = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    commit = subprocess.run(describe, cwd=HOME, check=True, capture_output=True, text=True).stdout.strip()
    results, passed = rows(RESULTS if RESULTS.exists() else STORED), {}
    for patch in sorted(PATCHES.glob("*.patch")):
        if names and patch.stem not in names:
            continue
        what, module, tests, says = header(patch)
        if (module, tests) not in passed:
            passed[module, tests] = run_tests(module, tests)
            print(f"{'passes' if passed[module, tests] else 'FAILS':9} {module} {tests}", flush=True)
        if run("git", "apply", patch):
            sys.exit(f"patch does not apply to the last commit: {patch}")
        run_tests(module, tests)
        run("git", "checkout", "-q", "--", ".")
        found = find_failure(module, says)
        test, assertion = found or (tests, "")
        print(f"{'detected' if found else 'MISSED':9} {patch.stem:42} {assertion}", flush=True)
        row = [patch.stem, what, "yes" if found else "no", test, assertion, commit]
        results[patch.stem] = dict(zip(COLUMNS, row))
        passed[patch] = bool(found)
    with open(RESULTS, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(row for _, row in sorted(results.items()))
    return all(passed.values())


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
