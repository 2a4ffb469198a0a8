#!/bin/sh
# The document browser in Chromium, with axe where it can be had, and with other judges; pictures of each flow are in
# .build/browser.
#
#   run.sh TOOL [options of browse.py]     with options, only browse.py runs
#   run.sh TOOL --short                    what continuous integration runs: axe, some flows, WebKit
set -eu

tool=$1
shift
python=.build/python/bin/python3
if ! $python -c 'import playwright' 2> /dev/null && ! $python -m pip install --quiet playwright 2> /dev/null; then
  echo "playwright cannot be installed; the browser is not tested"
  exit 0
fi
$python -c 'import axe_playwright_python' 2> /dev/null || $python -m pip install --quiet axe-playwright-python 2> /dev/null ||
  echo "axe-playwright-python cannot be installed; axe does not run"
if [ -z "${CHROMIUM:-}" ] && ! command -v chromium > /dev/null && ! $python -m playwright install chromium > /dev/null 2>&1; then
  echo "Chromium is not installed (package chromium); the browser is not tested"
  exit 0
fi
status=0
if [ "${1:-}" = --short ]; then
  $python Tests/Browser/browse.py --tool "$tool" --pictures .build/browser --documents 0 --only listing access || status=1
  $python -c 'import selenium' 2> /dev/null || $python -m pip install --quiet selenium 2> /dev/null || :
  $python Tests/Browser/webkit.py --tool "$tool" --pictures .build/browser || status=1
  exit $status
fi
$python Tests/Browser/browse.py --tool "$tool" --pictures .build/browser "$@" || status=1
[ $# -eq 0 ] || exit $status
$python Tests/Browser/edit.py --tool "$tool" --pictures .build/browser || status=1
if command -v node > /dev/null; then node Tests/Browser/editor-units.mjs || status=1; node Tests/Browser/editor-queue.mjs || status=1; node Tests/Browser/page-units.mjs || status=1; else echo "node is not installed; the functions of the pages are not tested"; fi
$python Tests/Browser/controls.py --tool "$tool" --pictures .build/browser || status=1
$python -c 'import selenium' 2> /dev/null || $python -m pip install --quiet selenium 2> /dev/null || :
$python Tests/Browser/webkit.py --tool "$tool" --pictures .build/browser || status=1
$python Tests/Browser/judges.py --tool "$tool" || status=1
# Tours are read as pictures, too.
$python -c 'import PIL' 2> /dev/null || $python -m pip install --quiet pillow 2> /dev/null || :
$python Tests/Browser/judge.py --tool "$tool" --pictures .build/browser || status=1
exit $status
