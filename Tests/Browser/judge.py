#!/usr/bin/env python3
"""The judge of the effect editor: formats, hostile files, disks, kills, tours, and what happens without a module or beyond the budget.

    python3 Tests/Browser/judge.py [--tool .build/particles] [--pictures FOLDER] [--only PART ...]

Parts that need files or rights that are not there say so, and judge nothing.
"""

import argparse, pathlib, shutil, signal, sys, tempfile, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import browser
from judge_disk import Disk
from judge_formats import Formats
from judge_goals import Goals
from judge_hostile import Hostile
from judge_kill import Kill
from judge_limits import Limits
from judge_tours import Tours
from tool import Tool, check, failures

PARTS = {"formats": Formats, "hostile": Hostile, "disk": Disk, "kill": Kill, "tours": Tours, "limits": Limits, "goals": Goals}


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
            print(f"-- {part}", flush=True)
            begin = time.perf_counter()
            tool = Tool(str(pathlib.Path(options.tool).resolve()), tempfile.mkdtemp(prefix="particles-judge-"))
            try:
                getattr(judge(tool, chromium, options.pictures), part)()
            except Exception as error:  # The other parts are judged, too.
                check(False, f"{part}: {type(error).__name__}: {str(error)[:600]}")
            finally:
                tool.end(signal.SIGKILL)
                shutil.rmtree(tool.home, ignore_errors=True)
            print(f"   {time.perf_counter() - begin:.1f} s", flush=True)
    print(f"{len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__": main()
