#!/bin/sh
# Tests of Sources/Packaging/libraries.sh with substitutes for dpkg, apt-get, sudo and id: output, calls, their order, and the
# status. Nothing is installed.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# A substitute appends its call to the output so far, so that one file has the order of all calls.
substitute() { # name, commands
  printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1" && chmod 755 "$work/bin/$1"
}
# The programs of a machine. `present` has the names of its packages.
machine() { # user, programs
  rm -rf "$work/bin" && mkdir "$work/bin"
  for name in sh grep cat; do ln -s "$(command -v $name)" "$work/bin/$name"; done
  : > "$work/present"
  substitute id "echo $1"
  substitute dpkg-query "grep -qx \"\$4\" '$work/present' && case \$3 in *Status*) echo 'install ok installed' ;; *) echo 3 ;; esac"
  substitute dpkg '[ "$2" -ge "$4" ]'
  shift
  for name; do
    case $name in
    sudo) substitute sudo 'echo "CALL sudo"; exec "$@"' ;;
    apt-get) substitute apt-get "echo \"CALL apt-get \$*\" >&2; [ \"\$1\" != install ] || { shift 4; for each; do echo \"\$each\"; done >> '$work/present'; }" ;;
    failing) substitute apt-get 'echo "CALL apt-get $*" >&2; exit 100' ;;
    esac
  done
}
# Runs it for the packages one and two, and compares the status and all that was printed and called.
expect() { # name, status, lines
  name=$1 wanted=$2
  shift 2
  found=0
  env PATH="$work/bin" INSTALL="${INSTALL:-}" sh Sources/Packaging/libraries.sh 3 one two > "$work/out" 2>&1 || found=$?
  printf '%s\n' "$@" | sed '/^$/d' > "$work/wanted"
  if [ $found != "$wanted" ] || ! diff "$work/wanted" "$work/out"; then
    echo "Tests/Packaging/libraries.sh: $name: status $found, expected $wanted" >&2
    status=1
  fi
}

update="apt-get update -qq" install="apt-get install -y -qq --no-install-recommends"

machine 0 apt-get
expect "root: printed before it is called" 0 "not installed: one two" "installing them: $update && $install one two" "CALL $update" "CALL $install one two"
expect "root: silent when all are there" 0 ""
machine 0 apt-get
echo one > "$work/present"
expect "root: only what is missing" 0 "not installed: two" "installing them: $update && $install two" "CALL $update" "CALL $install two"
echo libevent-dev >> "$work/present"
expect "a library that is new enough" 0 ""
sed -i 's/echo 3/echo 2/' "$work/bin/dpkg-query"
expect "a library with known vulnerabilities" 1 "libevent-dev 2 has known vulnerabilities; please install 3 or newer"

machine 1000 apt-get sudo
expect "a user with sudo: printed before sudo is called" 0 "not installed: one two" "installing them: sudo $update && sudo $install one two" \
  "CALL sudo" "CALL $update" "CALL $install one two"
machine 1000 apt-get
expect "a user without sudo: an administrator has to do it" 1 "not installed: one two" \
  "only an administrator can install them, and there is no sudo. An administrator runs: $update && $install one two"
machine 0
expect "no apt-get" 1 "not installed: one two" "this system has no apt-get. Install what Debian calls one two"
machine 0 failing
expect "apt-get fails" 1 "not installed: one two" "installing them: $update && $install one two" "CALL $update" \
  "they could not be installed: see the messages of apt-get above"

INSTALL=no
machine 1000 apt-get sudo
expect "INSTALL=no: nothing is called" 1 "not installed: one two" \
  "nothing is installed because of INSTALL=no. To install them: sudo $update && sudo $install one two"
machine 0 apt-get
expect "INSTALL=no as root" 1 "not installed: one two" "nothing is installed because of INSTALL=no. To install them: $update && $install one two"
printf 'one\ntwo\n' > "$work/present"
expect "INSTALL=no, and all are there" 0 ""

# Through make, with the packages of the target: nothing is built, and nothing is called.
machine 1000 apt-get sudo
for name in make uname sed; do ln -s "$(command -v $name)" "$work/bin/$name"; done
for arguments in "try INSTALL=no" "test INSTALL=no"; do
  found=0
  # shellcheck disable=SC2086
  env -u MAKEFLAGS PATH="$work/bin" make --no-print-directory $arguments > "$work/out" 2>&1 || found=$?
  if [ $found = 0 ] || ! grep -q "To install them: sudo $update && sudo $install zlib1g-dev " "$work/out" || grep -q CALL "$work/out"; then
    cat "$work/out"
    echo "Tests/Packaging/libraries.sh: make $arguments: status $found" >&2
    status=1
  fi
done
exit $status
