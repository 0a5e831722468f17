"""The commands that make what is read here, worded once for pages, messages and documents."""

from typing import Final

SACCT: Final = (
    "sacct --allusers --parsable2 --starttime=now-30days --format=JobID,JobName,Partition,Account,"
    "State,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,NNodes,NodeList,ReqMem,AllocTRES,ReqTRES,"
    "ConsumedEnergyRaw"
)
"""Without a start, `sacct` says what has been since midnight."""

SINFO: Final = 'sinfo --all --Node --format="%N|%P|%T|%c|%m|%G|%f"'
"""The nodes of all partitions, also hidden ones; with separators, since a width cuts names off."""
