#!/bin/sh
# Runs the tests, which have been built, with a PATH that contains only a shell, basic utilities and Swift:
# each test that needs another program must report a skip. Prints these and the result.
# Usage: bare.sh SWIFT [ARGUMENT…]
cd "$(dirname "$0")/.." || exit 2
swift=$(command -v "$1") || exit 2
shift
bin=$PWD/.build/bare
rm -rf "$bin" && mkdir -p "$bin" && ln -s "$swift" "$bin/swift" || exit 2
# The second line: what Swift needs to read the manifest.
for name in sh cat chmod chown cp cut date dirname env false grep head id ln ls mkdir mkfifo mv rm rmdir sed \
  sleep sort stat tail touch tr true uname wc clang ld ld.gold ld.lld; do
  # Not `command -v`, which answers 'true' for what the shell has built in.
  path=$(IFS=:; for folder in $PATH; do [ -x "$folder/$name" ] && echo "$folder/$name" && break; done)
  [ -z "$path" ] || ln -s "$path" "$bin/$name"
done
PATH=$bin "$bin/swift" test --skip-build "$@" > "$bin/log" 2>&1
status=$?
grep -E '^(➜|✘)|skipped: |Fatal error|Test run with' "$bin/log" | sort -u
echo "$(grep -c '^➜ Test ' "$bin/log") tests skipped, all output in $bin/log"
exit $status
