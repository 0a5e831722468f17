#!/bin/bash
# Submits the job arrays that are listed below to Slurm. README.md says how.
# Run it again whenever it did not come to its end: what Slurm has is not submitted again.
set -euo pipefail
unset CDPATH
cd -- "$(dirname -- "$0")"

declare -A ids=()
declare -i now=0 before=0

fail() {
    printf 'submit.sh: %s\n' "$1" >&2
    exit 1
}

# Prints "name id ." for each job array of this run that Slurm knows of.
ask_slurm() {
    squeue --user="$(id -u)" --states=all --noheader --format='%j|%F' >submitted/answer 9>&- ||
        fail 'squeue gives no answer, so what Slurm has is unknown; run submit.sh again later'
    sacct --user="$(id -u)" --starttime="$since" --allocations --noheader --parsable2 \
        --format=JobName,JobID >>submitted/answer 2>/dev/null 9>&- || accounting=no
    awk -F'|' -v start="$prefix" \
        'index($1, start) == 1 { sub(/_.*/, "", $2); print $1, $2, "." }' submitted/answer
}

# The first run of submit.sh names the run; each later one learns what was submitted before.
begin() {
    command -v sbatch >/dev/null || fail 'there is no sbatch; run this where jobs are submitted'
    mkdir -p submitted output
    exec 9>>submitted/lock
    flock --nonblock 9 || fail 'submit.sh or cancel.sh is at work here; wait until it has ended'
    [ ! -e submitted/cancelled ] ||
        fail 'cancel.sh cancelled these jobs; to submit all of them anew, remove the folder submitted'
    local first='' next='' name id
    if [ ! -s submitted/run ]; then
        first=yes
        printf '%s %s\n' "$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')" \
            "$(date -d yesterday +%Y-%m-%d)" >submitted/run.new
        mv submitted/run.new submitted/run
    fi
    read -r run since <submitted/run
    prefix="wf-$1-$run-"
    accounting=yes
    touch submitted/jobs submitted/next
    # A crash may have cut the last line short; such a line is left out.
    { cat submitted/jobs && printf '\n'; } >submitted/known
    if [ -z "$first" ]; then ask_slurm >>submitted/known; fi
    awk -v start="$prefix" 'index($1, start) == 1 && !there[$1] &&
        /^[a-z0-9-]+-[0-9]+-[0-9]+-[0-9]+-[0-9]+ [0-9]+ [.]$/ { there[$1] = 1; print }' \
        submitted/known >submitted/jobs.new
    mv submitted/jobs.new submitted/jobs
    while read -r name id _; do ids[$name]=$id; done <submitted/jobs
    read -r next <submitted/next || true
    if [ -n "$next" ] && [ -z "${ids[$next]-}" ] && [ "$accounting" = no ]; then
        fail "sacct gives no answer, so it is unknown whether $next was submitted; look for it, then
write '$next ID .' into submitted/jobs if it was, or remove submitted/next if not"
    fi
}

# The job arrays that follow are for one machine, with these options of sbatch.
machine() {
    options=("$@")
    previous=
}

# array ENDING TASKS [OPTIONS_OF_SBATCH] SCRIPT FIRST_INDEX MACHINE SECONDS
array() {
    local name="$prefix$1" numbers="0-$(($2 - 1))%1" answer id
    shift 2
    if [ -n "${ids[$name]-}" ]; then
        before+=1
    else
        [ ! -e submitted/cancelled ] || fail 'cancel.sh cancelled these jobs'
        printf '%s\n' "$name" >submitted/next
        answer=$(sbatch --parsable --job-name="$name" --array="$numbers" \
            ${previous:+"--dependency=afterany:$previous"} \
            ${options[@]+"${options[@]}"} "$@" 9>&-) || refused "$name"
        id=${answer%%;*}
        [[ $id =~ ^[0-9]+$ ]] || fail "sbatch gives no number of a job, but: $answer"
        printf '%s %s .\n' "$name" "$id" >>submitted/jobs
        printf '%s %s\n' "$name" "$id"
        ids[$name]=$id
        now+=1
    fi
    previous=${ids[$name]}
}

refused() {
    local there
    there=$(squeue --user="$(id -u)" --name="$1" --states=all --noheader --format=%F 9>&-) || there=?
    if [ -z "$there" ]; then rm submitted/next; fi
    fail "sbatch does not take $1; mend what it says above, then run submit.sh again"
}

finish() {
    printf 'All %s job arrays are submitted: %s now, %s before.\n' $((now + before)) "$now" "$before"
}

