"""Placeholders become references that no shell takes for code, whatever the value and the place."""

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from strategies import names

from core.engines.slurm.placeholders import UnusableCommand, as_script, read_as_code

HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; #",
    "'; rm -rf ~ #",
    '"; touch pwned; "',
    "a[$(touch pwned)]",
    "; touch pwned",
    "& touch pwned &",
    "| touch pwned",
    "> pwned",
    "-rf",
    "--help",
    "* ? [a-z]",
    "~",
    "$HOME",
    "\\",
    "'",
    '"',
    "%s%n",
    "!!",
    "{a,b}",
    "<(touch pwned)",
    "計算 🚀",
    "x" * 200,
    "a  b",
]
PLACES = [
    "printf %s {task_type}",
    'printf %s "{task_type}"',
    "printf %s '{task_type}'",
    "printf %s $'{task_type}'",
    "printf %s ''{task_type}\"\"",
    "printf '%s' \"$(printf '%s' '{task_type}')\"",
    'printf %s "$(printf %s {task_type})"',
    'printf %s "$(printf %s "{task_type}")"',
    "(printf %s {task_type})",
    'x={task_type}; printf %s "$x"',
    "# a comment: don't {task_type} (\nprintf %s {task_type}",
    "if [ -n {task_type} ]; then printf %s {task_type}; fi",
    "case {task_type} in (no) ;; *) printf %s {task_type} ;; esac",
    "cat <<<{task_type}",
]


@pytest.mark.parametrize("command", PLACES)
def test_a_name_stays_a_name_in_every_place(command, tmp_path):
    """Fifty names through one shell: a loop hands each over as a script does."""
    script = as_script(command)
    loop = f'for WATTFRONT_TASK_TYPE in "$@"; do\n{script}\nprintf "\\n"\ndone'
    ran = subprocess.run(
        ["bash", "-c", loop, "bash", *HOSTILE],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert [line for line in ran.stdout.split("\n") if line] == HOSTILE
    assert list(tmp_path.iterdir()) == []


@given(names(), st.sampled_from(PLACES))
def test_the_script_does_not_depend_on_the_name(name, command):
    """There is nothing that a name could change: the script has its variable only."""
    assert as_script(command).count("${WATTFRONT_TASK_TYPE}") == command.replace(
        "don't {task_type}", ""
    ).count("{task_type}")


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("run {index}", 'run "${WATTFRONT_INDEX}"'),
        ("run {machine} {seconds}", 'run "${WATTFRONT_MACHINE}" "${WATTFRONT_SECONDS}"'),
        ('"a {index}"', '"a ${WATTFRONT_INDEX}"'),
        ("'a {index}'", "'a '\"${WATTFRONT_INDEX}\"''"),
        ("$'a {index}'", "$'a '\"${WATTFRONT_INDEX}\"$''"),
        ("$(({index} + 1))", "$((${WATTFRONT_INDEX} + 1))"),
        ("$(((1 + {index}) * 2))", "$(((1 + ${WATTFRONT_INDEX}) * 2))"),
        ("(({index} > 1))", "((${WATTFRONT_INDEX} > 1))"),
        ("${files[{index}]}", "${files[${WATTFRONT_INDEX}]}"),
        ("${x:-{index}}", "${x:-${WATTFRONT_INDEX}}"),
        ("`seq {index}`", "`seq ${WATTFRONT_INDEX}`"),
        ("a\\{index}", "a\\{index}"),
        ("${index} %{index} @{index} #{index} {{index}}",) * 2,
        ("awk '{ print }' {} {a,b} {1..3} { x; }",) * 2,
        ("echo # {index} {what}",) * 2,
        ("echo a#{task_type}",) * 2,
        ("x # 'a\n{index}", 'x # \'a\n"${WATTFRONT_INDEX}"'),
        ("cat <<<{index}", 'cat <<<"${WATTFRONT_INDEX}"'),
        ("echo $((1 << 2)) {index}", 'echo $((1 << 2)) "${WATTFRONT_INDEX}"'),
        ('"\\"{index}"', '"\\"${WATTFRONT_INDEX}"'),
        ('"${a:-"{index}"}"', '"${a:-"${WATTFRONT_INDEX}"}"'),
        ("'\\' {index}", "'\\' \"${WATTFRONT_INDEX}\""),
        ("$'\\'' {index}", "$'\\'' \"${WATTFRONT_INDEX}\""),
        ('"it\'s {index}"', '"it\'s ${WATTFRONT_INDEX}"'),
        ('"(" {index}', '"(" "${WATTFRONT_INDEX}"'),
        ("{index", "{index"),
        ('"$(echo $((2 * (1 + 1))) {index})"', '"$(echo $((2 * (1 + 1))) "${WATTFRONT_INDEX}")"'),
        ("# a\n{index}", '# a\n"${WATTFRONT_INDEX}"'),
    ],
)
def test_a_reference_is_quoted_as_its_place_demands(command, script):
    assert as_script(command) == script


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("run {what}", "{what} is not a placeholder; give one of {task_type}, {index}, {machine}"),
        ("run {Index}", "{Index} is not a placeholder"),
        ("awk '{print}'", "put a space after the brace"),
        ("echo don't", "' is opened, but not closed"),
        ('echo "a', '" is opened, but not closed'),
        ("echo $'a\\'", "$' is opened, but not closed"),
        ("echo $(ls", "( is opened, but not closed"),
        ("(ls", "( is opened, but not closed"),
        ("echo `ls", "` is opened, but not closed"),
        ("echo ${x", "} is opened, but not closed"),
        ("echo $((1)", ")) is opened, but not closed"),
        ("echo \\", "ends with a backslash"),
        ("cat <<END\n{index}\nEND", "{index} comes after <<; write ${WATTFRONT_INDEX} there"),
        ("echo $(({task_type}))", "{task_type} is in an arithmetic expression"),
        ("echo $((1 + ({machine})))", "{machine} is in an arithmetic expression"),
        ("(({machine}))", "{machine} is in an arithmetic expression"),
        ("echo ${x:-{task_type}}", "{task_type} is in ${...}"),
        ('echo "${x[{task_type}]}"', "{task_type} is in ${...}"),
        ("echo `echo {task_type}`", "{task_type} is in backquotes"),
        ("x[{task_type}]=1", "{task_type} is an index in brackets"),
    ],
)
def test_what_cannot_be_filled_in_safely_is_refused(command, said):
    with pytest.raises(UnusableCommand) as refused:
        as_script(command)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("run {task_type}", []),
        ("eval run {task_type}", ["eval"]),
        ("ssh host run {machine}", ["ssh"]),
        ("eval ssh host run {machine}", ["ssh"]),
        ("let x={task_type}", ["let"]),
        ("[[ {task_type} -eq 1 ]]", ["-eq"]),
        ("[[ 1 -eq {task_type} ]]", ["-eq"]),
        ("echo $[ {task_type} ]", ["$["]),
        ("sh -c 'run {task_type}'", ["sh"]),
        ('bash -c "run {task_type}"', ["bash"]),
        ("bash -c 'cd x; run {task_type}'", ["bash"]),
        ("bash -c 'run \"$1\"' _ {task_type}", []),
        ("srun -n 4 /bin/sh -c '{machine}'", ["sh"]),
        ("python3.11 -c 'print(\"{task_type}\")'", ["python3.11"]),
        ("awk '/{task_type}/' log", ["awk"]),
        ('awk 1 log > "{task_type}.log"', ["awk"]),
        ('awk 1 log | tee "{task_type}.log"', []),
        ('awk 1 log; tee "{task_type}.log"', []),
        ('awk 1 log\ntee "{task_type}.log"', []),
        ("sed 's/a/{task_type}/'", ["sed"]),
        ("ssh host run {index} {seconds}", []),
        ("./run.sh '{task_type}'", []),
        ("evaluate '{task_type}' --eval", []),
        ("run --eval={task_type}", []),
        ("export {task_type}", ["export"]),
        ("declare -r '{machine}=1'", ["declare"]),
        ("export NAME={task_type}", []),
        ("export NAME='{task_type}'", []),
        ("test -v {task_type}", ["test -v"]),
        ("[[ -v {task_type} ]]", ["[[ -v"]),
        ("printf -v {task_type} x", ["printf -v"]),
        ("grep -v {task_type} log", []),
        (". {task_type}", ["."]),
        ("source {task_type}", ["source"]),
        ("cp {task_type} .", []),
        ("run -v; echo {task_type}", []),
        ("run -level {task_type}", []),
    ],
)
def test_programs_that_would_read_a_name_as_code_are_found(command, programs):
    assert [program for _, program in read_as_code(command)] == programs


@given(st.text("ab{}index'\"\\$()`#<> \n", max_size=24))
def test_any_command_is_filled_in_or_refused(command):
    try:
        script = as_script(command)
    except UnusableCommand as refused:
        script, said = "", str(refused)
    else:
        said = "; "
    assert "; " in said
    if "{index}" not in command:
        assert script in ("", command)
