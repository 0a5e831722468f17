"""A table gives each machine its place, and whatever is wrong in it is located."""

import re

import pytest
from engines.slurm.tables import said, sheet
from hypothesis import given
from hypothesis import strategies as st

from core.engines.slurm.binding import Place, read_binding
from core.files.findings import Findings
from core.files.numbers import UnusableCell
from core.files.sheet import Sheet, SheetRow
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System

HEADER = "machine_type,machine,node,constraint,partition\n"


@pytest.fixture(scope="module")
def system():
    kinds = (MachineType("A", 3), MachineType("=B", 2), MachineType("C", 0))
    return System((TaskType("T", 1),), kinds, [[1.0, 1.0, 1.0]])


def binding_of(text, system, header=HEADER):
    findings = Findings()
    binding = read_binding(sheet(header + text, findings), system, findings)
    assert said(findings) == []
    return binding


def test_a_column_may_be_left_out_or_have_another_name(system):
    binding = binding_of("A;n[1-3]\n", system, header="Machine type;Hosts\n")
    assert binding.place(0, 2) == Place("n2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Machines get the nodes of a list in order.
        ('A,,"n[1-2],x",,\n', [[Place("n1"), Place("n2"), Place("x")], [None, None], []]),
        ("A,,n[1-3],b,l\n", [[Place(f"n{k}", "b", "l") for k in (1, 2, 3)], [None, None], []]),
        # A row may be for one machine, the first and the last, too; or for all.
        ("A,1,n1,,\nA,3,n3,,\n", [[Place("n1"), None, Place("n3")], [None, None], []]),
        (
            "A,,,gpu&big,\nA,2,n7,,long\n'=B,1,b1,,\n",
            [
                [Place("", "gpu&big"), Place("n7", "", "long"), Place("", "gpu&big")],
                [Place("b1"), None],
                [],
            ],
        ),
    ],
)
def test_each_machine_has_its_place(text, expected, system):
    binding = binding_of(text, system)
    assert expected == [
        [binding.place(j, k + 1) for k in range(machine.count)]
        for j, machine in enumerate(system.machine_types)
    ]


@pytest.mark.parametrize(
    ("place", "options"),
    [
        (Place("n1"), ("--exclusive", "--nodelist=n1")),
        (
            Place("n1", "big", "long"),
            ("--exclusive", "--nodelist=n1", "--constraint=big", "--partition=long"),
        ),
        (Place("", "big"), ("--nodes=1", "--exclusive", "--constraint=big")),
        (Place("", "", "long"), ("--nodes=1", "--exclusive", "--partition=long")),
        (Place(), ("--nodes=1", "--exclusive")),
    ],
)
def test_a_machine_has_its_node_alone(place, options):
    """Issue 33, point 12: maps by node are exclusive as maps by constraint are."""
    assert place.options() == options
    assert place.options(shared=True) == tuple(one for one in options if one != "--exclusive")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A,1,-a,,", "line 2|node|'-a' is not the name of a node"),
        ('A,,"-a,-b,c",,', "line 2|node|'-a' is not the name of a node"),
        ("A,,n[1-2],,", "line 2|node|2 nodes for 3 machines; give one node for each"),
        ("A,4,n1,,", "line 2|machine|there is no machine 4; the type has machines 1 to 3"),
        ("A,0,n1,,", "line 2|machine|there is no machine 0"),
        ("A,x,n1,,", "line 2|machine|'x' is not a number"),
        ("A,1.5,n1,,", "line 2|machine|'1.5' is not a whole number"),
        ("A,1,n[1-2],,", "line 2|node|2 nodes are given for one machine; give one"),
        ("A,1,,,", "line 2|node|no place is given; give a node, a constraint or a partition"),
        ("A,,n[1-3,,", "line 2|node|'[1-3' has a bracket without its partner"),
        ("A,,n[3-1],,", "line 2|node|the range 3-1 ends before it begins"),
        ("A,,n[1-100001],,", "line 2|node|the list has more than 100,000 nodes"),
        ("A,1,n1,,\nA,1,n2,,", "line 3|machine|machine 1 is there already (line 2)"),
        ("A,,,x,\nA,,,y,", "line 3|machine|all machines of the type is there already (line 2)"),
        *(
            (f"A,1,{node},,", f"line 2|node|'{node}' is not the name of a node")
            for node in ("$(touch_pwned)", "-n1", "n1%")
        ),
        ("A,1,n1 n2,,", "line 2|node|'n1 n2' has a space; put commas between the names"),
        ("A,1,,$(x),", "line 2|constraint|'$(x)' is not the name of a constraint"),
        ("A,1,,-x,", "line 2|constraint|'-x' is not the name of a constraint"),
        ("A,1,,,a b", "line 2|partition|'a b' is not the name of a partition"),
        ("A,1,,,'--exclusive", "line 2|partition|"),
        ("A,1", "A||line 2 has 2 cells, but the header has 5"),
        # All problems are said at once.
        ("A,9,n1,,\nA,2,,b d,p q", "line 2|machine|;line 3|constraint|;line 3|partition|"),
    ],
)
def test_what_is_wrong_is_located(text, problem, system):
    findings = Findings()
    assert read_binding(sheet(f"{HEADER}{text}\n", findings), system, findings) is None
    for found, expected in zip(said(findings), re.split(";(?=line)", problem), strict=True):
        row, column, message = expected.split("|")
        assert found[:3] == ("error", row, column)
        assert found[3].startswith(message)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A,,n[1-4],,\n", "node|4 nodes are given for 3 machines; the last ones are not used"),
        ("D,,n1,,\n", "machine_type|'D' is not a machine type of the system; the row is not used"),
        (",,n1,,\n", "machine_type|'' is not a machine type"),
    ],
)
def test_what_is_not_used_is_said(text, problem, system):
    findings = Findings()
    assert read_binding(sheet(HEADER + text, findings), system, findings) is not None
    column, message = problem.split("|")
    (found,) = said(findings)
    assert found[:3] == ("warning", "line 2", column)
    assert found[3].startswith(message)


@pytest.mark.parametrize(("column", "name"), [(0, "machine_type"), (2, "node")])
def test_a_cell_that_is_neither_text_nor_a_number_is_located(system, column, name):
    cells = ["A", "1", "n1", "", ""]
    cells[column] = UnusableCell("is an error of Excel; correct it")
    rows = [SheetRow(1, HEADER.strip().split(",")), SheetRow(7, cells)]
    findings = Findings()
    assert read_binding(Sheet("t", rows, is_text=False), system, findings) is None
    assert said(findings)[0] == ("error", "line 7", name, "is an error of Excel; correct it")
    assert name == "node" or len(said(findings)) == 1


def test_a_table_that_cannot_be_read_is_refused(system, monkeypatch):
    monkeypatch.setattr("core.files.limits.CELLS", 14)
    for text, why in (
        (HEADER + "A,1,n1,,\nA,2,n2,,\n", "is too large"),
        ("node,constraint\nn1,x\n", "column machine_type is missing"),
    ):
        findings = Findings()
        assert read_binding(sheet(text, findings), system, findings) is None
        assert why in said(findings)[0][3]
        assert findings.problems()[0].file == "t.csv"


@given(st.text("n1[]-,$(x) ;'\"&|%\n", max_size=20))
def test_whatever_a_cell_holds_an_option_is_one_plain_word(text):
    system = System((TaskType("T", 1),), (MachineType("A", 1),), [[1.0]])
    quoted = '"' + text.replace('"', '""') + '"'
    for row in (f"A,1,{quoted},,\n", f"A,1,,{quoted},\n", f"A,1,,,{quoted}\n"):
        findings = Findings()
        binding = read_binding(sheet(HEADER + row, findings), system, findings)
        place = binding.place(0, 1) if binding else None
        for option in place.options() if place else ():
            name, _, value = option.partition("=")
            assert name.startswith("--")
            assert not set(value) & set(" ;'\"$%\n")
            assert not value.startswith("-")
