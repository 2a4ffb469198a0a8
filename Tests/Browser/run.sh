#!/bin/sh
# The document browser in Chromium, with axe where it is available, and with more judges. Pictures of each flow are in
# .build/browser.
#
#   run.sh TOOL [PART...]                  all parts by default
#   run.sh TOOL --only NAME... [...]       options of browse.py, which runs alone
set -eu

tool=$1
shift
python=.build/python/bin/python3
packages="$python -B Tests/packages.py"
if ! $packages playwright; then
  echo "playwright cannot be installed; the browser is not tested"
  exit 0
fi
$packages axe-playwright-python ||
  echo "axe-playwright-python cannot be installed; axe does not run"
if [ -z "${CHROMIUM:-}" ] && ! command -v chromium > /dev/null; then
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
  $packages selenium || :
  run webkit.py $pictures ;;
judges) run judges.py ;;
judge)
  # Tours are read as pictures, too.
  $packages pillow || :
  run judge.py $pictures ;;
*) echo "run.sh has no part $part" >&2; exit 2 ;;
esac
done
exit $status
