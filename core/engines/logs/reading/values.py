"""Cells as numbers: durations, moments, amounts with units, job numbers; kernels.

Each reads column k of a block's cells, bytes `low` to `high`; what is no such value becomes NaN.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import Kernel

DURATION: Final = 0
"""Seconds, written `[days-]hours:minutes:seconds`, `minutes:seconds`, perhaps with a fraction."""
MOMENT: Final = 1
"""Seconds since 1970 of a date and time as a clock on the wall shows it; or a plain number."""
AMOUNT: Final = 2
"""A number, perhaps with a unit prefix: K is 1,000, M a million, G, T, P."""
AMOUNT_1024: Final = 3
"""A number, perhaps with a unit prefix: K is 1,024, and so on."""
DECIMAL_COMMA: Final = 6
"""An amount whose decimals stand behind a comma: 12,5."""

DASH: Final = 45
COLON: Final = 58
POINT: Final = 46
ZERO: Final = 48
NINE: Final = 57
LARGE_T: Final = 84
SPACE: Final = 32
COMMA: Final = 44
EQUALS: Final = 61
PLUS: Final = 43
UNDERSCORE: Final = 95
MOST_DIGITS: Final = 300
"""More of them are no number, and powers of ten have no more in a float."""
LARGEST: Final = 1e30
"""More is no duration and no amount; products of two of them are still finite."""

TOTAL: Final = 0
PER_CORE: Final = 1
PER_NODE: Final = 2

NO_STEP: Final = 0
BATCH_STEP: Final = 1
OTHER_STEP: Final = 2
"""A step of no interest: what Slurm starts on the side."""
NUMBERED_STEP: Final = 3
NO_JOB: Final = -1
"""The cell is no number of a job."""


@Kernel
def read_values(data, low, high, kind, into):
    """The values of a column, of one kind."""
    for row in range(len(low)):
        if high[row] <= low[row]:
            into[row] = np.nan
        elif kind == DURATION:
            into[row] = duration(data, low[row], high[row])
        elif kind == MOMENT:
            into[row] = moment(data, low[row], high[row])
        elif kind == AMOUNT:
            into[row] = amount(data, low[row], high[row], 1000.0, POINT)
        elif kind == DECIMAL_COMMA:
            into[row] = amount(data, low[row], high[row], 1000.0, COMMA)
        else:
            into[row] = amount(data, low[row], high[row], 1024.0, POINT)


@Kernel
def read_within(data, low, high, key, into):
    """The amount that a list such as `cpu=8,mem=32G,gres/gpu=2` gives for a key; or the sum of
    what it gives for its kinds (`gres/gpu:a100=2`).
    """
    for row in range(len(low)):
        into[row] = np.nan
        at = low[row]
        while at < high[row]:
            end = at
            while end < high[row] and data[end] != COMMA:
                end += 1
            if begins_with(data, at, end, key):
                after = at + len(key)
                equals = after
                while equals < end and data[equals] != EQUALS:
                    equals += 1
                value = amount(data, equals + 1, end, 1024.0, POINT)
                if equals == after:
                    into[row] = value
                    break
                if data[after] == COLON:
                    into[row] = value if np.isnan(into[row]) else into[row] + value
            at = end + 1


@Kernel
def begins_with(data, low, high, key):
    if high - low <= len(key):
        return False
    for k in range(len(key)):  # noqa: SIM110  # any() of a generator is not compiled
        if data[low + k] != key[k]:
            return False
    return True


@Kernel
def read_memory(data, low, high, into, per):
    """Requested memory in MiB as `sacct` writes it (`4Gc`, `4000Mn`, `16G`): of the job, of each
    core, or of each node.
    """
    for row in range(len(low)):
        end = high[row]
        per[row] = TOTAL
        if end > low[row]:
            last = data[end - 1] | 32
            if last == 99:  # c
                per[row] = PER_CORE
                end -= 1
            elif last == 110:  # n
                per[row] = PER_NODE
                end -= 1
        if end > low[row] and data[end - 1] >= ZERO and data[end - 1] <= NINE:
            into[row] = amount(data, low[row], end, 1024.0, POINT)  # a plain number is in MiB
        else:
            into[row] = amount(data, low[row], end, 1024.0, POINT) / 1048576.0


@Kernel
def duration(data, low, high):
    days, total, part, digits, colons = 0.0, 0.0, 0.0, 0, 0
    has_days = False
    at = low
    while at < high:
        c = data[at]
        if c >= ZERO and c <= NINE:
            part = part * 10.0 + (c - ZERO)
            digits += 1
        elif c == DASH and digits and not has_days and colons == 0:
            days, part, digits, has_days = part, 0.0, 0, True
        elif c == COLON and digits and colons < 2 and not (colons and digits != 2):
            total = (total + part) * 60.0
            part, digits = 0.0, 0
            colons += 1
        elif c == POINT and digits == 2 and colons:
            scale = 0.1
            at += 1
            while at < high:
                if data[at] < ZERO or data[at] > NINE:
                    return np.nan
                part += scale * (data[at] - ZERO)
                scale *= 0.1
                at += 1
            break
        else:
            return np.nan
        at += 1
    if digits != 2 or colons == 0:
        return np.nan
    seconds = days * 86400.0 + total + part
    if has_days and colons == 1:  # days-hours:minutes
        seconds = days * 86400.0 + (total + part) * 60.0
    return seconds if seconds <= LARGEST else np.nan


@Kernel
def moment(data, low, high):
    if high - low < 16 or data[low + 4] != DASH:
        return amount(data, low, high, 1000.0, POINT)
    year = digits_at(data, low, low + 4)
    month = digits_at(data, low + 5, low + 7)
    day = digits_at(data, low + 8, low + 10)
    between = data[low + 10]
    hour = digits_at(data, low + 11, low + 13)
    minute = digits_at(data, low + 14, low + 16)
    second = 0
    if high - low >= 19 and data[low + 16] == COLON:
        second = digits_at(data, low + 17, low + 19)
    if data[low + 7] != DASH or data[low + 13] != COLON or between not in (LARGE_T, SPACE):
        return np.nan
    if year < 1970 or month < 1 or month > 12 or day < 1 or day > 31:
        return np.nan
    if hour < 0 or hour > 24 or minute < 0 or minute > 59 or second < 0 or second > 60:
        return np.nan
    # Days since 1970 in a calendar whose years begin in March, so that the leap day is the last.
    shifted = year - 1 if month <= 2 else year
    era = shifted // 400
    of_era = shifted - era * 400
    of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    days = era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
    return days * 86400.0 + hour * 3600.0 + minute * 60.0 + second


@Kernel
def digits_at(data, low, high):
    """A number of a few digits; -1 if it is none."""
    number = np.int64(0)
    for at in range(low, high):
        if data[at] < ZERO or data[at] > NINE:
            return -1
        number = number * 10 + np.int64(data[at]) - ZERO
    return number


@Kernel
def amount(data, low, high, step, point):
    if high <= low or high - low > MOST_DIGITS:
        return np.nan
    at, sign = low, 1.0
    if data[at] == DASH:
        at, sign = at + 1, -1.0
    whole, below, digits, places = 0.0, 0.0, 0, 0
    while at < high and data[at] >= ZERO and data[at] <= NINE:
        whole = whole * 10.0 + (data[at] - ZERO)
        digits += 1
        at += 1
    if at < high and data[at] == point:
        at += 1
        while at < high and data[at] >= ZERO and data[at] <= NINE:
            below = below * 10.0 + (data[at] - ZERO)
            places += 1
            at += 1
    if digits + places == 0:
        return np.nan
    value = whole + below / 10.0**places if places else whole
    if at < high and (data[at] | 32) == 101 and at + 1 < high:  # e
        exponent_sign, start = 1, at + 1
        if data[start] == DASH or data[start] == PLUS:
            exponent_sign = -1 if data[start] == DASH else 1
            start += 1
        exponent = digits_at(data, start, high) if start < high and high - start <= 2 else -1
        if exponent < 0:
            return np.nan
        value *= 10.0 ** (exponent_sign * exponent)
        at = high
    if at < high:
        prefix = data[at] | 32
        power = 0
        if prefix == 107:  # k
            power = 1
        elif prefix == 109:  # m
            power = 2
        elif prefix == 103:  # g
            power = 3
        elif prefix == 116:  # t
            power = 4
        elif prefix == 112:  # p
            power = 5
        else:
            return np.nan
        if at + 1 < high:
            return np.nan
        value *= step**power
    return sign * value if value <= LARGEST else np.nan


@Kernel
def read_jobs(data, low, high, job, task, step):
    """Numbers of jobs as `sacct` writes them: `12`, `12_3` (task 3 of an array), `12+1` (a part of
    a heterogeneous job), `12.batch`, `12.0` (steps), `12_[4-9]` (not started).

    `task` is -1 where there is none, -2 where tasks have not started, and -3 - k for part k of a
    heterogeneous job.
    """
    for row in range(len(low)):
        at, end = low[row], high[row]
        number, digits = np.int64(0), 0
        job[row], task[row], step[row] = 0, -1, NO_JOB
        while at < end and data[at] >= ZERO and data[at] <= NINE and digits < 18:
            number = number * 10 + np.int64(data[at]) - ZERO
            digits += 1
            at += 1
        if digits == 0:
            continue
        job[row] = number
        if at < end and (data[at] == UNDERSCORE or data[at] == PLUS):
            hetero = data[at] == PLUS
            at += 1
            if at < end and data[at] == 91:  # [
                task[row] = -2
                step[row] = NO_STEP
                continue
            part, digits = np.int64(0), 0
            while at < end and data[at] >= ZERO and data[at] <= NINE and digits < 9:
                part = part * 10 + np.int64(data[at]) - ZERO
                digits += 1
                at += 1
            if digits == 0:
                continue
            task[row] = -3 - part if hetero else part
        if at == end:
            step[row] = NO_STEP
        elif data[at] == POINT and at + 1 < end:
            c = data[at + 1]
            if c >= ZERO and c <= NINE:
                step[row] = NUMBERED_STEP
            elif (c | 32) == 98 or (c | 32) == 105:  # batch, interactive
                step[row] = BATCH_STEP
            else:
                step[row] = OTHER_STEP
