#!/bin/sh
# Counts wording that does not belong in plain technical English (CONTRIBUTING.md, section Language) in comments,
# messages and pages. Usage: prose.sh [LIMIT] [PATH…]. Prints each line with a hit and fails above the limit.
cd "$(dirname "$0")/.." || exit 2
limit=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- Sources Spec README.md CONTRIBUTING.md CHANGELOG.md Makefile Fixtures/README.md
pattern='\b(stands?|stood|standing)\b'
pattern="$pattern"'|\b(says?|said|saying|vouch[a-z]*|nobody|somebody|newborns?|births?|whatever)\b'
pattern="$pattern"'|//[/*]? What |[.;:,] what (is|was|are|were|stands?|comes?|goes|has|had|it|they)\b'
pattern="$pattern"'|\b(is|are|was|were|be) drawn (each|anew|at random|once|by itself|for each|from|between)\b|\bdraws? (a|any|one|its|the) (number|value)s?\b'
pattern="$pattern"'|\bso already\b|\bof its own idea\b|\bidea of\b|\b(is|are) told of\b|\bnone of (it|them) is meant\b|\bhas? (a|no) home\b|\b(one|that|those) of (ours|yours|theirs)\b'
# `birth` is a key of documents and `births` a column of recordings. These names are not counted.
names='(["`.]|case )births?\b|\b(count|align|INITIAL_DIRECTION), ?births?\b|\| (a trigger )?`?births?\b'
hits=$(grep -rnIiE --include='*.swift' --include='*.md' --include='*.c' --include='*.h' --include=Makefile "$pattern" "$@" |
  while IFS= read -r line; do
    printf '%s\n' "$line" | sed -E "s/$names//g" | grep -qiE "$pattern" && printf '%s\n' "$line"
  done)
count=$(printf '%s' "$hits" | grep -c '')
[ "$count" -eq 0 ] || printf '%s\n' "$hits"
echo "$count lines with wording to replace, at most $limit"
[ "$count" -le "$limit" ]
