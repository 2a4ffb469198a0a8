#!/usr/bin/env python3
"""The judge of the effect editor: formats, hostile files, disks, kills, tours, tasks, and what happens without a module or beyond the budget.

    python3 Tests/Browser/judge.py [--tool .build/particles] [--pictures FOLDER] [--only PART ...]

Parts that need files or rights that are not there say so, and judge nothing.
"""

import argparse, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import browser
from judge_disk import Disk
from judge_formats import Formats
from judge_goals import Goals
from judge_hostile import Hostile
from judge_kill import Kill
from judge_limits import Limits
from judge_tasks import Tasks
from judge_tours import Tours
from tool import attempt, report, tool_of

PARTS = {"formats": Formats, "hostile": Hostile, "disk": Disk, "kill": Kill, "tours": Tours, "tasks": Tasks, "limits": Limits, "goals": Goals}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default=".build/particles")
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", choices=list(PARTS))
    options = parser.parse_args()
    if options.pictures: options.pictures.mkdir(parents=True, exist_ok=True)
    with browser() as chromium:
        for part, judge in PARTS.items():
            if options.only and part not in options.only: continue
            with tool_of(options.tool) as tool: attempt(part, getattr(judge(tool, chromium, options.pictures), part))
    report()


if __name__ == "__main__": main()
