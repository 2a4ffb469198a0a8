#!/usr/bin/env python3
"""Runs tests, and names what failed in the last lines of the output. A log may keep no more than its end.

    python3 Tests/failures.py COMMAND [ARGUMENT]...

Prints the output of the command without the lines about tests that start. Its issues and failed tests follow once more. After a
crash, the last lines name the tests that had started and had not ended. The exit status is that of the command.
"""

import collections, os, pathlib, re, signal, subprocess, sys, threading

ROOT = pathlib.Path(__file__).resolve().parent.parent

ISSUE = re.compile(r"recorded an issue|Fatal error|^FAILED|^E  |^\S+: error: |unexpected signal")
COLOR = re.compile(r"\x1b\[[0-9;]*m")
# Cases of a test and the run itself have no such lines about their ends.
STARTED = re.compile(r"◇ (Test case passing|Test run|Suite|Test)(.*) started\.$")
ENDED = re.compile(r"[✔✘] Test( .+?)(?: with \d+ test cases?)? (?:passed|failed) after |➜ Test( .+) skipped")
FAILED = re.compile(r"✘ .+ failed after ")
# So many of the tests that have not ended are named.
NAMED = 20


class Report:
    """What the lines of an output tell about failures."""

    def __init__(self):
        self.issues, self.failed, self.running = {}, [], collections.Counter()
        self.last = collections.deque(maxlen=6)
        self.is_issue = False

    def take(self, line):
        """Reads a line, and returns whether a log needs it."""
        line = COLOR.sub("", line.rstrip())[:400]
        started, ended = STARTED.search(line), ENDED.search(line)
        if started:
            if started[1] == "Test":
                self.running[started[2]] += 1
            return False
        if ended:
            self.running[ended[1] or ended[2]] -= 1
        self.last.append(line)
        # Comments follow their issue.
        self.is_issue = bool(ISSUE.search(line)) or self.is_issue and line.lstrip().startswith("↳")
        if self.is_issue:
            self.issues[line] = True
        elif FAILED.search(line):
            self.failed.append(line)
        return True

    def lines(self):
        """Each issue once, the tests that failed, and those that had started and had not ended."""
        unfinished = [name for name, count in self.running.items() if count > 0]
        return [*self.issues, *self.failed, *(f"started, but did not end: Test{name}" for name in unfinished[-NAMED:])]


def run(command, report, environment=None, seconds=None):
    """Runs a command, and passes its output on. Returns the exit status, None if it has taken longer."""
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, start_new_session=bool(seconds), text=True, errors="replace", stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    late = threading.Event()

    def end():
        late.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(seconds, end) if seconds else None
    if timer:
        timer.start()
    for line in process.stdout:
        if report.take(line):
            print(line, end="", flush=True)
    status = process.wait()
    if timer:
        timer.cancel()
    return None if late.is_set() else status


def main():
    # Control-C ends the command, whose tests are then named.
    signal.signal(signal.SIGINT, lambda *_: None)
    report = Report()
    status = run(sys.argv[1:], report)
    if status:
        print("\n".join(["", *report.lines()]))
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
