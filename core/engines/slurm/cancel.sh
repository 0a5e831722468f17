#!/bin/bash
# Cancels all jobs of this folder that wait or run, and stops a submit.sh that is at work.
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "$0")"

if [ ! -s submitted/run ]; then
    printf 'Nothing was submitted.\n'
    exit 0
fi
touch submitted/cancelled
exec 9>>submitted/lock
flock 9
read -r run _ <submitted/run
queue=$(squeue --user="$(id -u)" --noheader --format='%j|%F' 9>&-)
# The last first: a job array would start if the one before it were cancelled earlier.
ids=$(awk -F'|' -v run="$run" 'split($1, part, "-") > 2 && part[1] == "wf" && part[3] == run {
    print $2 }' <<<"$queue" | sort -run)
if [ -n "$ids" ]; then xargs -n 500 scancel <<<"$ids" 9>&-; fi
printf 'Cancelled: %s job arrays.\n' "$(wc -w <<<"$ids")"
