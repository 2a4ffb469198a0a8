#!/bin/sh
# The tests of the player in Chromium, if it is available. All tests run, and the status is 1 if one has failed. Tests that
# need node alone are in `make test-node`.
#
#   run.sh TOOL
set -u

tool=$1
status=0
check() {
  echo "== $*"
  "$@" || { echo "FAILED: $*"; status=1; }
}

# The environment of the project, or the system's if that has playwright.
python=.build/python/bin/python3
[ -x $python ] || python=python3
if ! $python -c 'import playwright' 2> /dev/null; then
  if python3 -c 'import playwright' 2> /dev/null; then
    python=python3
  elif ! $python -B Tests/packages.py playwright; then
    echo "playwright cannot be installed; the player is not tested in a browser"
    exit $status
  fi
fi
if [ -z "${CHROMIUM:-}" ] && ! command -v chromium > /dev/null; then
  echo "Chromium is not installed (package chromium); the player is not tested in a browser"
  exit $status
fi
check $python Tests/Web/drawer.py
check $python Tests/Web/element.py
if [ ! -f .build/web/particles.wasm ]; then
  echo "there is no module (make web); what needs it is not tested"
  exit $status
fi
check $python Tests/Web/pages.py --tool "$tool"
check $python Tests/Web/web.py --tool "$tool" --frames "${FRAMES:-3600}"
corpus=../shared/corpus
# shellcheck disable=SC2046
check $python Tests/Web/pictures.py --tool "$tool" --module .build/web/particles.wasm $([ -d $corpus ] && echo --corpus $corpus)
exit $status
