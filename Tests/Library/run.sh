#!/bin/sh
# Tests of libparticles from C and C++: run.sh LIBRARY [--valgrind LIBRARY-WITH-NAMES] [HOSTILE FILES]
# Programs are written from the header alone, by gcc and clang, and run under AddressSanitizer, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
library=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
header=$root/Sources/CParticlesInterface/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
memcheck=
if [ "${1:-}" = --valgrind ]; then
  memcheck=yes
  named=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
  shift 2
fi
mkdir "$work/lib" "$work/files"
ln -s "$library" "$work/lib/libparticles.so.1"
ln -s "$library" "$work/lib/libparticles.so"
export LD_LIBRARY_PATH="$work/lib"

# The library exports the symbols of the header, and no more.
python3 "$here/calls.py" "$header/particles.h" names > "$work/names"
nm -D --defined-only "$library" | sed -n 's/.* T \([a-z_]*\).*/\1/p' | sort > "$work/exported"
diff "$work/names" "$work/exported"
others=$(nm -D --defined-only "$library" | grep -cv -e ' T particles_' -e ' A LIBPARTICLES_1' || true)
[ "$others" = 0 ] || { echo "$others other symbols are exported" >&2; exit 1; }
echo "$(wc -l < "$work/names") functions are exported, and nothing else"
# Systems from Ubuntu 22.04 and RHEL 9 on have these versions of glibc.
newest=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
case $newest in
  GLIBC_2.[0-9] | GLIBC_2.[12][0-9]* | GLIBC_2.3[0-4]*) echo "the library needs $newest" ;;
  *) echo "the library needs $newest, expected 2.34 at most (older-glibc.c)" >&2; exit 1 ;;
esac
readelf -dlW "$library" > "$work/headers"
if grep -q RUNPATH "$work/headers"; then echo "the library has a RUNPATH" >&2; exit 1; fi
for word in BIND_NOW GNU_RELRO; do
  grep -q $word "$work/headers" || { echo "the library is linked without $word (link.sh)" >&2; exit 1; }
done

python3 "$here/calls.py" "$header/particles.h" program > "$work/calls.c"
# Each function has a manual page, and a page without a warning.
mkdir -p "$work/man/man3"
python3 "$here/calls.py" "$header/particles.h" manuals "$work/man/man3"
while read -r name; do
  [ -f "$work/man/man3/$name.3" ] || { echo "$name has no manual page" >&2; exit 1; }
done < "$work/names"
if command -v man > /dev/null; then
  (cd "$work/man" && for page in man3/*.3; do MANWIDTH=80 man --warnings -l "$page" 2>&1 > /dev/null; done) | grep . >&2 && exit 1 || true
  (cd "$work/man" && MANPAGER=cat man -M "$work/man" 3 particles_effect_open) | grep -q 'particles_effect_open' ||
    { echo "man does not show particles_effect_open" >&2; exit 1; }
fi

run() { # name, program, arguments
  name=$1
  shift
  if ! "$@" > "$work/out" 2>&1; then
    cat "$work/out"
    echo "$name has failed" >&2
    exit 1
  fi
  grep '^[a-z ]*: memory grows' "$work/out" || true
  echo "$name: $(tail -1 "$work/out")"
}

build() { # compiler, flags, program, source
  compiler=$1 flags=$2 program=$3 source=$4
  # shellcheck disable=SC2086
  $compiler $flags -Wall -Wextra -Werror -Wno-unused-value -I "$header" -o "$work/$program" "$source" -L "$work/lib" -lparticles -lpthread
}

short=
for compiler in gcc clang; do
  command -v $compiler > /dev/null || { echo "skipped: no $compiler"; continue; }
  build $compiler -std=gnu11 laws "$here/laws.c"
  # Once is enough for the search for leaks of the library, which takes a minute.
  run "laws, $compiler" env ${short:+LAWS_SHORT=1} GLIBC_TUNABLES=glibc.malloc.tcache_count=0 "$work/laws" "$work/files" "$@"
  short=yes
  build $compiler -std=gnu11 calls "$work/calls.c"
  run "wrong calls, $compiler" "$work/calls"
  for example in pack convert draw simulate; do
    build $compiler "-std=c99 -pedantic" $example "$root/Sources/Examples/C/$example.c"
  done
  effect=$root/Fixtures/effects/pex/torch.pex
  mkdir -p "$work/out-$compiler"
  run "convert, $compiler" "$work/convert" "$effect" pixi torch.json "$work/out-$compiler"
  run "draw, $compiler" "$work/draw" "$effect" "$work/torch.pam"
  run "draw, $compiler" "$work/draw" "$effect" "$work/torch.gif"
  run "simulate, $compiler" "$work/simulate" "$effect" 2
  rm -rf "$work/tree" && mkdir -p "$work/tree/a" && echo hello > "$work/tree/a/b.txt"
  run "pack, $compiler" "$work/pack" "$work/tree" "$work/tree.particles"
  run "pack, $compiler" "$work/pack" "$work/tree.particles"
  run "pack, $compiler" "$work/pack" -x "$work/tree.particles" "$work/tree-$compiler"
  cmp "$work/tree/a/b.txt" "$work/tree-$compiler/a/b.txt"
done
for compiler in g++ clang++; do
  command -v $compiler > /dev/null || { echo "skipped: no $compiler"; continue; }
  if build $compiler "-std=c++17 -Wshadow -pedantic" owners "$here/owners.cpp" 2> "$work/log"; then
    run "owners, $compiler" "$work/owners"
  elif [ $compiler = clang++ ] && grep -q 'not found\|cannot find' "$work/log"; then
    echo "skipped: clang++ has no standard library here"
  else
    cat "$work/log"; exit 1
  fi
done
[ "$(wc -l < "$header/particles.hpp")" -le 200 ] || { echo "particles.hpp is longer than 200 lines" >&2; exit 1; }

# AddressSanitizer sees the memory of callers and all memory of malloc. Its search for leaks, and the search of
# Valgrind, do not follow the tagged pointers of Swift's enumerations. laws.c measures instead whether memory grows.
if build gcc "-std=gnu11 -g -fsanitize=address,undefined" laws-asan "$here/laws.c" 2> "$work/log"; then
  run "laws, AddressSanitizer" env LAWS_SHORT=1 ASAN_OPTIONS=detect_leaks=0 "$work/laws-asan" "$work/files" "$@"
  build gcc "-std=gnu11 -g -fsanitize=address,undefined" calls-asan "$work/calls.c"
  run "wrong calls, AddressSanitizer" env ASAN_OPTIONS=detect_leaks=0 "$work/calls-asan"
else
  echo "skipped: no AddressSanitizer"
fi
if [ -n "$memcheck" ]; then
  if command -v valgrind > /dev/null; then
    # Valgrind knows functions by their names, which the installed library does not have.
    rm "$work/lib"/*
    ln -s "$named" "$work/lib/libparticles.so.1"
    ln -s "$named" "$work/lib/libparticles.so"
    build gcc "-std=gnu11 -g" laws "$here/laws.c"
    run "laws, Valgrind" env LAWS_SHORT=1 valgrind --quiet --error-exitcode=9 --suppressions="$root/Sources/ParticlesC/valgrind.supp" "$work/laws" "$work/files"
    run "wrong calls, Valgrind" valgrind --quiet --error-exitcode=9 --suppressions="$root/Sources/ParticlesC/valgrind.supp" "$work/calls"
  else
    echo "skipped: no valgrind"
  fi
fi
