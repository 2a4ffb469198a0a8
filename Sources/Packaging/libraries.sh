#!/bin/sh
# Installs the packages that a target of the Makefile needs, after it has printed them and the command. Silent when nothing is
# missing. With INSTALL=no, it prints and installs nothing. The status is 1 if packages are missing afterwards.
#
#   libraries.sh LIBEVENT PACKAGE...   on Linux: packages of Debian, with the oldest accepted version of libevent-dev
#   libraries.sh --brew FORMULA...     on macOS: it never installs
set -eu

missing=
if [ "$1" = --brew ]; then
  shift
  for formula; do
    brew list --versions "$formula" > /dev/null 2>&1 || missing="$missing $formula"
  done
  [ -z "$missing" ] || { echo "not installed:$missing. Install them: brew install$missing" >&2; exit 1; }
  exit 0
fi

libevent=$1
shift
for package; do
  dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  echo "not installed:$missing"
  if ! command -v apt-get > /dev/null; then
    echo "this system has no apt-get. Install what Debian calls$missing" >&2
    exit 1
  fi
  update="apt-get update -qq" install="apt-get install -y -qq --no-install-recommends$missing"
  sudo=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || {
      echo "only an administrator can install them, and there is no sudo. An administrator runs: $update && $install" >&2
      exit 1
    }
    sudo="sudo "
  fi
  if [ "${INSTALL:-}" = no ]; then
    echo "nothing is installed because of INSTALL=no. To install them: $sudo$update && $sudo$install" >&2
    exit 1
  fi
  echo "installing them: $sudo$update && $sudo$install"
  # shellcheck disable=SC2086
  $sudo$update && $sudo$install > /dev/null || {
    echo "they could not be installed: see the messages of apt-get above" >&2
    exit 1
  }
fi
command -v dpkg > /dev/null || exit 0
found=$(dpkg-query -W -f '${Version}' libevent-dev 2> /dev/null) || exit 0
dpkg --compare-versions "$found" ge "$libevent" || {
  echo "libevent-dev $found has known vulnerabilities; please install $libevent or newer" >&2
  exit 1
}
