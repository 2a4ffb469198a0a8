#!/bin/sh
# The document browser in Chromium, with axe where it can be had, and with other judges; pictures of each flow are in
# .build/browser.
#
#   run.sh TOOL [PART...]                  all parts by default
#   run.sh TOOL --only NAME... [...]       options of browse.py, which runs alone
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

run() { program=$1; shift; $python "Tests/Browser/$program" --tool "$tool" "$@" || status=1; }
pictures="--pictures .build/browser"
status=0
case ${1:-} in
--*) run browse.py $pictures "$@"; exit $status ;;
"") set -- flows editing controls webkit judges judge ;;
esac
for part; do
case $part in
flows) run browse.py $pictures ;;
editing) run edit.py $pictures ;;
controls) run controls.py $pictures ;;
webkit)
  $python -c 'import selenium' 2> /dev/null || $python -m pip install --quiet selenium 2> /dev/null || :
  run webkit.py $pictures ;;
judges) run judges.py ;;
judge)
  # Tours are read as pictures, too.
  $python -c 'import PIL' 2> /dev/null || $python -m pip install --quiet pillow 2> /dev/null || :
  run judge.py $pictures ;;
*) echo "run.sh has no part $part" >&2; exit 2 ;;
esac
done
exit $status
