#!/usr/bin/env python3
"""Scores rows with a Cupel model. One file, Python 3.9 or later, nothing else to install.

    python3 cupel_reader.py MODEL.cupel NEW.csv [--out FILE]
    python3 cupel_reader.py MODEL.cupel --check MODEL.check.json

With the model inside, as `cupel export MODEL --to python` writes it, the first argument is left out.
The file may stand between commas, semicolons, tabs or bars, in UTF-8, with a header; it is never held in memory as a whole.
Cells are read by the model's own rules: numbers as the training file writes them.

As a module:

    from cupel_reader import Model
    model = Model.load("MODEL.cupel")          # or Model.inside()
    model.predict([{"age": 41, "job": "clerk"}])   # ["yes"]
    model.score(rows)                          # label, confidence and probabilities of each row

Values are texts as in a file, numbers (decimal.Decimal too), truth values, dates, times and durations where the training file
has times, or None for a missing value. Also those of numpy and pandas. What a column of numbers or dates cannot take is refused.
"""

import argparse
import base64
import csv
import datetime
import decimal
import functools
import itertools
import json
import math
import numbers
import os
import re
import struct
import sys
import unicodedata
import zlib
from array import array
from bisect import bisect_left
from operator import add

# The model's file, compressed, in base64; None where it lies beside this file.
MODEL = None

NEWEST_VERSION = 8
MISSING, UNSEEN, FIRST = 0, 1, 2
WHITE = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
TYPES = {
    **{"Uint8Array": "B", "Uint16Array": "H", "Uint32Array": "I"},
    **{"Int32Array": "i", "Float32Array": "f", "Float64Array": "d"},
}
MOST_REMEMBERED = 20_000
BAD_INPUT = 3


class CupelError(ValueError):
    """Says what is wrong with a model or with rows, and what to do."""


def damaged(what):
    return CupelError(f"This Cupel model is damaged: {what}. Copy it again from where it was made.")


# ---- The container


def unpack(data):
    """The head and the arrays of a file's bytes."""
    if data[:8] != b"CUPELMDL":
        raise CupelError("This is not a Cupel model: it does not begin with CUPELMDL.")
    if len(data) < 20:
        raise damaged("it ends too early")
    version, json_length = struct.unpack_from("<II", data, 8)
    if version > NEWEST_VERSION:
        raise CupelError(f"This Cupel model has format {version}; this reader reads up to {NEWEST_VERSION}. Get a newer reader.")
    if zlib.crc32(memoryview(data)[:-4]) != struct.unpack_from("<I", data, len(data) - 4)[0]:
        raise damaged("its checksum does not match")
    try:
        content = json.loads(bytes(data[16 : 16 + json_length]).decode("utf-8"))
        arrays, at = {}, -(-(16 + json_length) // 8) * 8
        for entry in content["arrays"]:
            own = array(TYPES[entry["type"]])
            end = at + entry["length"] * own.itemsize
            if entry["length"] < 0 or end > len(data) - 4:
                raise damaged("an array does not fit into it")
            own.frombytes(data[at:end])
            if sys.byteorder == "big":
                own.byteswap()
            arrays[entry["name"]] = own
            at = -(-end // 8) * 8
        return content["head"], arrays
    except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise damaged("it says that it holds what it does not") from error


# ---- From cells to values

BOUND = re.compile("[<>\u2264\u2265]=?")
OR_MORE = re.compile("[^+]*[0-9]\\+")
CURRENCY_SIGNS = "$\u00a2-\u00a5\u20a0-\u20cf"
PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
BODIES = {
    (".", ""): PLAIN,
    (",", ""): re.compile(r"[+-]?(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)(?:[eE][+-]?[0-9]+)?"),
    (".", ","): re.compile(r"[+-]?(?:[0-9]{1,3}|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]*)?"),
    (",", "."): re.compile(r"[+-]?(?:[0-9]{1,3}|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,[0-9]*)?"),
}
CLOCKS = {"h:mm": "times such as 14:05", "h:mm:ss": "times such as 1:02:03"}
CLOCK_TIME = re.compile(
    r"(?:([0-9]{1,9}) days?,? |([+-]))?([0-9]{1,9}):([0-5][0-9])(?::([0-5][0-9]))?(?:[.,]([0-9]+))?(?: ?([AaPp])[Mm])?"
)
# A number and its unit; `1h20m` has two of them.
UNIT_PART = re.compile(rf"[{WHITE}]*([0-9.,]+(?:[eE][+-]?[0-9]+)?)[{WHITE}]*([^0-9{WHITE}.,+-]{{1,7}})")
LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
SIGNIFICANT = re.compile(r"[1-9](?:[0-9.]*[1-9])?")
# What may stand around the digits of a number in any column.
MAY_BE_DRESSED = re.compile("[0-9][ \u00a0\u2009\u202f'\u2019][0-9]{3}|[\u2212\u2013(]|-$|^[~\u2248c]")
GROUPS = re.compile("(?<![0-9.,])[1-9][0-9]{0,2}([ \u00a0\u2009\u202f'\u2019])[0-9]{3}(?:\\1[0-9]{3})*(?![0-9])")
ABOUT = re.compile("(?:[~\u2248]|ca\\.) ?(?=[0-9.,\u2212\u2013-])")
HAS_MONEY = f"(?=[^.,{CURRENCY_SIGNS}]*[.,{CURRENCY_SIGNS}])"
IN_BRACKETS = re.compile(
    HAS_MONEY + "([^()0-9+\u2212\u2013-]{0,5})\\(([^()0-9+\u2212\u2013-]*[0-9][^()+\u2212\u2013-]*)\\)"
)
MINUS_BEHIND = re.compile("([^()+\u2212\u2013-]*[.,][0-9]{2,}) ?-")
OTHER_MINUS = re.compile(f"([^0-9+\u2212\u2013-]{{0,5}})[\u2212\u2013](?=[0-9.,{CURRENCY_SIGNS}])")
NUMBERS_DATE = re.compile(r"([0-9]{1,4})([-/.])([0-9]{1,2})\2([0-9]{1,4})(?![0-9])")
COMPACT = re.compile("((?:19|20)[0-9]{2}|9999)([0-9]{2})([0-9]{2})(?![0-9])")
COMPACT_TIME = re.compile("((?:19|20)[0-9]{2}|9999)([0-9]{2})([0-9]{2})T?([01][0-9]|2[0-3])([0-5][0-9])([0-5][0-9])?Z?")
MONTH_YEAR = re.compile("([0-9]{1,2})[-/]((?:19|20)[0-9]{2})")
YEAR_MONTH = re.compile("((?:1[89]|20)[0-9]{2})-([0-9]{2})")
LETTER = "[A-Za-z\u00c0-\u024f]"
WORD = LETTER + "{3,10}"
NAME_SECOND = re.compile(
    rf"([0-9]{{1,4}})(?:st|nd|rd|th|er)?(?: de |[-/. ]{{0,2}})({WORD})\.?(?: de |[-/., ]{{0,2}})([0-9]{{1,4}})(?![0-9])"
)
NAME_FIRST = re.compile(
    rf"({WORD})\.?,?[-/ ]{{1,2}}(?:([0-9]{{1,2}})(?:st|nd|rd|th)?(?:, ?|[-/ ]{{1,2}}))?([0-9]{{4}}|[0-9]{{2}})(?![0-9])"
)
WEEKDAY = re.compile(f"({LETTER}{{2,10}})[.,]{{0,2}} +")
CLOCK = re.compile(
    r"(?:T|,? +|:)([0-9]{1,2})([:.h])([0-5][0-9])(?:\2([0-5][0-9]|60)(?:[.,][0-9]+)?)?(?: ?([AaPp])\.?[Mm]\.?)?"
    r"(?: ?(?:Z|UTC|GMT)?(?:[+-][0-9]{1,2}(?::?[0-5][0-9])?)?)?"
)
MONTH_NAMES = [names.split() for names in """
january januar janvier janeiro januari enero gennaio
february februar f\u00e9vrier fevrier febrero febbraio fevereiro februari
march m\u00e4rz maerz mrz mars marzo mar\u00e7o marco maart mrt
april avril abril aprile
may mai mayo maggio maio mei
june juni juin junio giugno junho
july juli juillet julio luglio julho
august ao\u00fbt aout agosto augustus
september septembre septiembre setiembre settembre setembro
october oktober octobre octubre ottobre outubro
november novembre noviembre novembro
december dezember d\u00e9cembre decembre diciembre dicembre dezembro
""".split("\n")[1:-1]]
WEEKDAYS = frozenset("mo di mi do fr sa so mon tue wed thu fri sat sun die mit don fre sam son lun mar mer jeu ven dim jue vie s\u00e1b dom gio".split())
MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def number_text(value):
    """A number's shortest decimal text, as ECMAScript writes it."""
    value = float(value)
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + exponent
    if len(text) <= point <= 21:
        body = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        body = f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        body = f"0.{'0' * -point}{text}"
    else:
        power = point - 1
        body = f"{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{'+' if power > 0 else '-'}{abs(power)}"
    return f"-{body}" if sign else body


def canonical_number(text):
    """The one text for a plain number, None for what is no plain number or loses something on the way."""
    if LEADING_ZERO.match(text) or not PLAIN.fullmatch(text):
        return None
    value = float(text)
    shown = SIGNIFICANT.search(re.split("[eE]", text, maxsplit=1)[0])
    digit_count = len(shown.group().replace(".", "")) if shown else 0
    if math.isinf(value) or digit_count > 15 or (value == 0 and digit_count > 0):
        return None
    return number_text(value)


def clock_body(text, affix):
    """The number that a time of day or a duration stands for, as text; "" where the text is none that is written so."""
    found = CLOCK_TIME.fullmatch(text)
    if found is None or (found.group(5) is None) != (affix == "h:mm"):
        return ""
    days, sign, hours, minutes, seconds, fraction, half = found.groups()
    hours = int(hours)
    if half is not None:
        if not 1 <= hours <= 12:
            return ""
        hours = hours % 12 + (12 if half in "pP" else 0)
    whole = (int(days or 0) * 24 + hours) * 60 + int(minutes)
    whole = whole if seconds is None else whole * 60 + int(seconds)
    return f"{sign or ''}{whole}" + (f".{fraction}" if fraction else "")


def quantity(text, units, read_body):
    """The sum of `1h 20m`, of which each unit is less than the one before; None where the text is none."""
    is_negative = text[:1] == "-"
    at = 1 if text[:1] in ("+", "-") else 0
    total, last = 0.0, math.inf
    while at < len(text) or last == math.inf:
        part = UNIT_PART.match(text, at)
        size = units.get(part.group(2)) if part else None
        body = read_body(part.group(1)) if size is not None and size < last else None
        if body is None:
            return None
        total += body * size
        last, at = size, part.end()
    return (0.0 - total if is_negative else total) if math.isfinite(total) else None


def number_reader(form):
    """Text to its value, None where it is no number in this form."""
    point, grouping, affix, units = form["decimal"], form["grouping"], form["affix"], form.get("units")
    body_pattern = BODIES[point, grouping]

    # A unit stands behind its number only.
    may_lead = re.fullmatch(f"[A-Z]{{0,2}}[{CURRENCY_SIGNS}]|[A-Z]{{3}}", affix) is not None

    def body_of(text):
        if affix in CLOCKS:
            return clock_body(text, affix)
        rest = text
        sign = rest[0] if rest[0] in "+-" else ""
        rest = rest[len(sign) :].lstrip(WHITE)
        if may_lead and rest.startswith(affix):
            return sign + rest[len(affix) :].lstrip(WHITE)
        return text[: -len(affix)].rstrip(WHITE) if text.endswith(affix) else ""

    def read_body(body):
        if not body_pattern.fullmatch(body):
            return None
        value = float(body.replace(grouping, "").replace(point, ".") if grouping else body.replace(point, "."))
        return value if math.isfinite(value) else None

    def read_bare(text):
        if units is not None:
            return quantity(text, units, read_body)
        return read_body(body_of(text) if affix and text else text)

    def read_exact(text):
        value = read_bare(text)
        return read_bare(bare_number(text)) if value is None else value

    def read(text):
        bound = BOUND.match(text)
        or_more = bound is None and OR_MORE.fullmatch(text)
        if bound is None and not or_more:
            return read_exact(text)
        value = read_exact(text[:-1] if or_more else text[bound.end() :].lstrip(WHITE))
        if value is None:
            return None
        # An upper bound lies just below its number, a lower one just above it.
        distance = (abs(value) or 1.0) / 65536
        value += -distance if bound and bound.group()[0] in "<\u2264" else distance
        return value if math.isfinite(value) else None

    return read


def bare_number(text):
    """The text without blanks or apostrophes between thousands, and with a minus before it for brackets and other signs."""
    if len(text) > 100 or not MAY_BE_DRESSED.search(text):
        return text
    about = ABOUT.match(text)
    text = text[about.end() :] if about else text
    for pattern, plain in ((IN_BRACKETS, r"-\1\2"), (MINUS_BEHIND, r"-\1")):
        found = pattern.fullmatch(text)
        text = found.expand(plain) if found else text
    other = OTHER_MINUS.match(text)
    text = f"-{other.group(1)}{text[other.end() :]}" if other else text
    return GROUPS.sub(lambda found: found.group().replace(found.group(1), ""), text, count=1)


def clock_text(value, affix):
    whole, _, fraction = format(decimal.Decimal(repr(abs(value))), "f").partition(".")
    rest, latter = divmod(int(whole), 60)
    text = f"{rest}:{latter:02}"
    if affix == "h:mm:ss":
        text = f"{rest // 60}:{rest % 60:02}:{latter:02}"
    fraction = fraction.rstrip("0")
    return ("-" if value < 0 else "") + text + (f".{fraction}" if fraction else "")


def written(value, form):
    """A number as the column's form writes it: what it is compared with missing texts by."""
    text = number_text(value)
    if form["affix"] in CLOCKS:
        return clock_text(value, form["affix"])
    if form["grouping"]:
        whole, point, rest = text.partition(".")
        whole = re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", form["grouping"], whole)
        text = whole + (form["decimal"] if point else "") + rest
    else:
        text = text.replace(".", form["decimal"])
    return text + form["affix"]


def read_date(text, order):
    """Year, month, day, hour (None where there is no time) and the seconds past it; None where the text is no date in this form."""
    if order == "unix":
        return unix_date(text)
    split = split_date(text)
    if split is None or order not in split[0]:
        return None
    _, year, first, second, hour, past = split
    month, day = (second, first) if order == "dmy" else (first, second)
    if not 1 <= month <= 12 or not 1 <= day <= MONTH_DAYS[month - 1]:
        return None
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return None if month == 2 and day == 29 and not is_leap else (year, month, day, hour, past)


def unix_date(text):
    """The date by UTC of a number of seconds or milliseconds since 1970, by its size."""
    value = float(text) if PLAIN.fullmatch(text) else 0.0
    unit = next((unit for unit in (1, 1000) if 1e9 * unit <= value <= 2147483648.0 * unit), None)
    if unit is None:
        return None
    # Whole milliseconds, as the program that trained the model takes them.
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=math.trunc(value / unit * 1000))
    return moment_parts(moment)


def moment_parts(moment):
    """The parts of a datetime, or of a date, which has no time."""
    past = 60 * getattr(moment, "minute", 0) + getattr(moment, "second", 0)
    return moment.year, moment.month, moment.day, getattr(moment, "hour", None), past


def split_date(text):
    """The orders that a text may be read in, the year, the numbers beside it, the hour and the seconds past it; None where it says no day."""
    if "0" <= text[:1] <= "9":
        return split_digits_first(text)
    if not re.match(LETTER + "[^0-9]*[0-9]", text):
        return None
    found = split_name_first(text)
    weekday = WEEKDAY.match(text)
    if found is not None or weekday is None or weekday.group(1)[:3].lower() not in WEEKDAYS:
        return found
    rest = text[weekday.end() :]
    return split_digits_first(rest) if "0" <= rest[:1] <= "9" else split_name_first(rest)


def split_name_first(text):
    found = NAME_FIRST.match(text)
    month = month_of(found.group(1)) if found else 0
    if month == 0:
        return None
    day, year = found.group(2, 3)
    if len(year) == 4 and not is_usual(year):
        return None
    if day is not None:
        return with_time(text, found, ("mdy",), year, month, day)
    return None if len(year) < 4 else with_time(text, found, ("dmy",), year, 1, month)


def split_digits_first(text):
    found = NUMBERS_DATE.match(text)
    if found:
        one, separator, two, three = found.groups()
        if len(one) == 4 and len(three) <= 2:
            is_iso = separator == "-" and len(two) == len(three) == 2
            return with_time(text, found, ("ymd",), one, two, three) if is_iso or is_usual(one) else None
        # Spreadsheets leave zeros out only where they write slashes; 7.4.33 and 15-5-20 are versions and codes.
        is_short = len(three) == 2 and (separator == "/" or len(one + two) == 4)
        if len(one) > 2 or not (len(three) == 4 or is_short):
            return None
        return with_time(text, found, ("dmy", "mdy"), three, one, two)
    found = YEAR_MONTH.fullmatch(text)
    if found:
        return with_time(text, found, ("ymd",), found.group(1), found.group(2), 1)
    found = MONTH_YEAR.fullmatch(text)
    if found:
        return with_time(text, found, ("dmy",), found.group(2), 1, found.group(1))
    found = COMPACT_TIME.fullmatch(text)
    if found:
        year, month, day, hour, minute, second = (int(number or 0) for number in found.groups())
        return ("ymd",), year, month, day, hour, 60 * minute + second
    found = COMPACT.match(text)
    if found:
        return with_time(text, found, ("ymd",), *found.groups())
    found = NAME_SECOND.match(text)
    month = month_of(found.group(2)) if found else 0
    if month == 0:
        return None
    one, _, other = found.groups()
    if not all(is_usual(number) for number in (one, other) if len(number) == 4):
        return None
    if len(one) == 4:
        return None if len(other) > 2 else with_time(text, found, ("ymd",), one, month, other)
    return None if len(one) > 2 or len(other) not in (2, 4) else with_time(text, found, ("dmy",), other, one, month)


def with_time(text, found, orders, year, first, second):
    hour, past = None, 0
    if found.end() < len(text):
        clock = CLOCK.fullmatch(text, found.end())
        if clock is None:
            return None
        hour, half = int(clock.group(1)), clock.group(5)
        past = 60 * int(clock.group(3)) + int(clock.group(4) or 0)
        if half is not None:
            if not 1 <= hour <= 12:
                return None
            hour = hour % 12 + (12 if half in "pP" else 0)
        if hour > 23:
            return None
    # Years of two digits turn at 1930, as in spreadsheets.
    century = 0 if len(year) == 4 else 2000 if int(year) < 30 else 1900
    return orders, century + int(year), int(first), int(second), hour, past


def month_of(word):
    name = word.lower()
    return next((at + 1 for at, names in enumerate(MONTH_NAMES) if any(known.startswith(name) for known in names)), 0)


def is_usual(year):
    """Dates of other years are codes, but for the one that means "for ever"."""
    return 1800 <= int(year) < 2200 or int(year) == 9999


def date_part(date, part):
    year, month, day, hour, _ = date
    if part == "weekday":
        return (day_number(date) + 1) % 7
    return {"year": year, "month": month, "day": day, "hour": hour}[part]


def day_number(date):
    """Counts days, by years that begin in March."""
    year, month, day, *_ = date
    y = year - (month < 3)
    return 365 * y + y // 4 - y // 100 + y // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day


def date_amount(date):
    """In seconds."""
    return 86400.0 * day_number(date) + 3600 * (date[3] or 0) + date[4]


# ---- Words and terms of texts


def ranges(text):
    for one in text.split():
        first, _, last = one.partition("-")
        yield range(int(first, 16), int(last or first, 16) + 1)


UNSPACED = list(ranges("""
2bc 303 305 323 331 e01-edf 1000-109d 1780-17f9 3005-302d 3031-30ff 3192-3195 31f0-3229 3280-3289 3400-9fff a9e0-a9fe
aa60-aa7f f900-fad9 ff66-ff9f 116d0-116e3 16fe3 16ff0-16ff6 1aff0-1b167 1d360-1d371 20000-33479
"""))
PICTURES = list(ranges("""
a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0
25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 2648-2653
265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be
26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716
271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07
2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 1f02c-1f02f 1f094-1f09f 1f0af-1f0b0 1f0c0 1f0cf-1f0d0 1f0f6-1f0ff
1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ae-1f1e5 1f201-1f20f 1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f25f
1f266-1f321 1f324-1f393 1f396-1f397 1f399-1f39b 1f39e-1f3f0 1f3f3-1f3f5 1f3f7-1f3fa 1f400-1f4fd 1f4ff-1f53d
1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a 1f587 1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2
1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2
1f6d5-1f6e5 1f6e9 1f6eb-1f6f0 1f6f3-1f6ff 1f7da-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8af
1f8bc-1f8bf 1f8c2-1f8cf 1f8d9-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa58-1fa5f 1fa6e-1faff 1fc00-1fffd
"""))
# Positions of a text as classes: letter, numeral, unspaced letter, unspaced numeral, picture, joiner, joiner of numerals.
PLAIN_WORD = re.compile("[lnum]+(?:(?:'|(?<=[nm])[.](?=[nm]))[lnum]+)*")
WORD_OR_PICTURE = re.compile("[ln]+(?:(?:'|(?<=[nm])[.](?=[nm]))[ln]+)*|[um]+|p")
MAY_HAVE_OTHERS = re.compile("[\u0e00-\u1fff\u2070-\U0010ffff]")
MASK = 0xFFFFFFFF
WORD_SEED, PAIR_SEED, PIECE_SEED = 0x2545F491, 0x1B873593, 0x6A09E667
MOST_UNITS, MOST_WORD = 2**20, 40


class WordClasses(dict):
    def __missing__(self, point):
        category = unicodedata.category(chr(point))
        if category[0] in "LMN":
            is_unspaced = any(point in own for own in UNSPACED)
            found = " " if point in (0xFE0E, 0xFE0F) else ("um" if is_unspaced else "ln")[category[0] == "N"]
        elif chr(point) in "'’-":
            found = "'"
        elif chr(point) in ".:,":
            found = "."
        else:
            found = "p" if any(point in own for own in PICTURES) else " "
        self[point] = found
        return found


class ShapeClasses(dict):
    def __missing__(self, point):
        category = unicodedata.category(chr(point))
        self[point] = "U" if category == "Lu" else category[0] if category[0] in "NP" else " "
        return self[point]


WORD_CLASSES, SHAPE_CLASSES = WordClasses(), ShapeClasses()


def utf16(text):
    return struct.unpack(f"<{len(text) + sum(c > chr(0xFFFF) for c in text)}H", text.encode("utf-16-le", "surrogatepass"))


def finish(h):
    h ^= h >> 16
    h = h * 0x85EBCA6B & MASK
    h ^= h >> 13
    h = h * 0xC2B2AE35 & MASK
    return h ^ (h >> 16)


def stir(low, high, unit):
    return (low ^ unit) * 0x01000193 & MASK, (((high ^ unit) + 0x7F4A7C15) * 0x9E3779B1 & MASK) ^ (high >> 15)


def hash_of(units, low, high):
    for unit in units:
        low, high = stir(low, high, unit)
    return finish(low), finish(high)


class TextReader:
    """The terms that a model knows of the texts of one column."""

    def __init__(self, keys):
        self.numbers = {(keys[at] & MASK, keys[at + 1] & MASK): at // 2 for at in range(0, len(keys), 2)}
        self.words = {}

    def read(self, text):
        """The number of words, and the known terms, ascending, with their counts."""
        plain = unicodedata.normalize("NFKC", text)
        if 2 * len(plain) > MOST_UNITS:
            cut = plain.encode("utf-16-le", "surrogatepass")[: 2 * MOST_UNITS]
            plain = cut.decode("utf-16-le", "surrogatepass")
        plain = plain.lower()
        classes = plain.translate(WORD_CLASSES)
        pattern = WORD_OR_PICTURE if MAY_HAVE_OTHERS.search(plain) else PLAIN_WORD
        counts, numbers, last, word_count = {}, self.numbers, None, 0
        for found in pattern.finditer(classes):
            word_count += 1
            word = plain[found.start() : found.end()]
            known = self.words.get(word)
            if known is None:
                known = self.look_at(word, found.group())
                if len(self.words) >= MOST_REMEMBERED:
                    self.words.clear()
                self.words[word] = known
            units, terms = known
            for term in terms:
                counts[term] = counts.get(term, 0) + 1
            for low, high in units:
                if last is not None:
                    pair = finish((last[0] * 31 ^ low ^ PAIR_SEED) & MASK), finish((last[1] * 33 ^ high) & MASK)
                    term = numbers.get(pair)
                    if term is not None:
                        counts[term] = counts.get(term, 0) + 1
                last = low, high
        return word_count, [(term, min(255, counts[term])) for term in sorted(counts)]

    def look_at(self, word, classes):
        """The hashes of a word's units, and its known terms."""
        is_unspaced = classes[0] in "ump"
        units = utf16(word) if is_unspaced else utf16(word)[:MOST_WORD]
        parts = [utf16(character) for character in word] if is_unspaced else [units]
        hashes = [hash_of(part, WORD_SEED, ~WORD_SEED & MASK) for part in parts]
        terms = list(hashes)
        padded = (32, *units, 32)
        for first in range(len(padded) - 2):
            low, high = PIECE_SEED, ~PIECE_SEED & MASK
            for at, unit in enumerate(padded[first : first + 5]):
                low, high = stir(low, high, unit)
                if at >= 2:
                    terms.append((finish(low), finish(high)))
        if "n" in classes or "m" in classes:
            shape = [48 if 48 <= unit <= 57 else unit for unit in units]
            terms.append(hash_of(shape, WORD_SEED + 1, (~WORD_SEED & MASK) + 1))
        numbers = self.numbers
        return hashes, [numbers[term] for term in terms if term in numbers]


# The numbers inside a text.
LIST_PARTS = ("numberLast", "numberLeast", "numberLargest", "numberMean")
OF_AMOUNT = re.compile("[.,$\u00a2-\u00a5\u20a0-\u20cf]")
FACTOR = f" ?(k|K|M|B|bn|mn|Mio|Mrd|million|billion|lakh|Lakh|Cr)(?!{LETTER}|[0-9])"
NUMBER_INSIDE = re.compile(
    f"((?<!{LETTER})(?<![0-9)])-)?"
    r"(?:((?<![0-9],)[0-9]{1,3}(?:,[0-9]{2,3}){0,4},[0-9]{3}(?![0-9,])(?:\.[0-9]{1,15})?)"
    r"|([0-9]{1,3}(?:\.[0-9]{3}){1,5},[0-9]{1,15}|(?<![0-9],)[0-9]{1,15},[0-9]{1,15}(?![0-9]{0,15},[0-9]))"
    r"|((?<![0-9]\.)[0-9]{1,15}\.[0-9]{1,15}(?![0-9]{0,15}\.[0-9])|[0-9]{1,15}))"
    f"(?:{FACTOR}|(?= ?[-\u2013] ?[0-9.,]{{1,20}}{FACTOR})|)"
)
FACTORS = {"k": 1e3, "K": 1e3, "lakh": 1e5, "Lakh": 1e5, "M": 1e6, "mn": 1e6, "Mio": 1e6, "million": 1e6, "Cr": 1e7}
FACTORS.update(dict.fromkeys(("B", "bn", "Mrd", "billion"), 1e9))


def number_inside(text, place):
    """The number with this place among those inside the text, from 1; None where it has fewer."""
    found = next(itertools.islice(NUMBER_INSIDE.finditer(text), place - 1, None), None)
    return None if found is None else value_of(text, found)


def list_part(numbers, part):
    if not numbers:
        return None
    if part == "numberMean":
        return sum_of(numbers) / len(numbers)
    return {"numberLast": numbers[-1], "numberLeast": min(numbers), "numberLargest": max(numbers)}[part]


def value_of(text, found):
    sign, english, german, plain, factor, factor_of_range = found.groups()
    digits = plain or (english.replace(",", "") if english else german.replace(".", "").replace(",", "."))
    factor = factor or factor_of_range or ""
    is_of_code = len(factor) == 1 and (
        re.search(LETTER + "$", text[: found.start()]) is not None or (factor == "B" and OF_AMOUNT.search(text) is None)
    )
    value = float(digits) * (1 if is_of_code else FACTORS.get(factor, 1))
    return 0 - value if sign else value


def text_part(text, word_count, part):
    if part in LIST_PARTS:
        return list_part([value_of(text, found) for found in NUMBER_INSIDE.finditer(text)], part)
    if part.startswith("number"):
        return number_inside(text, int(part[6:]))
    if part == "words":
        return word_count
    units = utf16(text)
    length = len(units)
    if part == "characters":
        return length
    if part.startswith("character"):
        place = int(part[9:])
        return units[place - 1] if place <= length else None
    if part.startswith("ending"):
        place = int(part[6:])
        return units[-place] if place <= length else None
    return text.translate(SHAPE_CLASSES).count({"capitals": "U", "digits": "N", "punctuation": "P"}[part]) / length


# ---- From codes to probabilities


def number_code(value, cut_points):
    return MISSING if value is None else FIRST + bisect_left(cut_points, value)


def softmax(scores):
    highest = max(scores)
    weights = [math.exp(score - highest) for score in scores]
    total = sum_of(weights)
    return [weight / total for weight in weights]


def sum_of(values):
    """In the order given: the built-in sum is more exact in newer versions, and would differ."""
    total = 0.0
    for value in values:
        total += value
    return total


def logistic(z):
    if z >= 0:
        return 1 / (1 + math.exp(-z))
    odds = math.exp(z)
    return odds / (1 + odds)


def probabilities_of(scores):
    return [logistic(-scores[0]), logistic(scores[0])] if len(scores) == 1 else softmax(scores)


class Parts:
    """The parts that the models of a file are built from: its arrays behind a prefix, and the code counts of the codes that they read."""

    def __init__(self, arrays, prefix, code_counts, class_count):
        self.arrays, self.prefix = arrays, prefix
        self.code_counts, self.class_count = code_counts, class_count
        self.output_count = 1 if class_count == 2 else class_count

    def take(self, name):
        return self.arrays[self.prefix + name]

    def inside(self, name, code_counts=None):
        return Parts(self.arrays, f"{self.prefix}{name}.", code_counts or self.code_counts, self.class_count)


def tree_walker(parts):
    """Codes to the leaf of each tree."""
    roots, children = list(parts.take("roots")), parts.take("children")
    features, thresholds = parts.take("features"), parts.take("thresholds")
    if not len(children) == len(features) == len(thresholds) or any(root >= len(children) for root in roots):
        raise damaged("its trees do not fit together")
    if any(0 <= child <= node or child + 1 >= len(children) for node, child in enumerate(children)):
        raise damaged("its trees have no end")
    feature_count = len(parts.code_counts)
    if any(child >= 0 and feature >= feature_count for feature, child in zip(features, children)):
        raise damaged("its trees read features that it does not have")

    def leaves(codes):
        # A missing or unseen value is below every threshold, or above every one where the node says so.
        low = [code if code >= FIRST else 0 for code in codes]
        high = [code + 0x8000 if code >= FIRST else 0x1FFFF for code in codes]
        for node in roots:
            child = children[node]
            while child >= 0:
                threshold = thresholds[node]
                side = high if threshold >= 0x8000 else low
                node = child + (side[features[node]] > threshold)
                child = children[node]
            yield node, child

    return leaves


def forest(head, parts):
    walk, shares, class_count = tree_walker(parts), parts.take("distributions"), parts.class_count
    scale = 1 / max(1, len(parts.take("roots")))
    if (~min(parts.take("children"), default=0) + 1) * class_count > len(shares):
        raise damaged("its leaves have no shares")

    def score(codes, texts):
        sums = [0.0] * class_count
        for _, child in walk(codes):
            start = ~child * class_count
            sums = list(map(add, sums, shares[start : start + class_count]))
        return [own * scale for own in sums]

    return score


def additive_trees(head, parts):
    walk, values, intercepts = tree_walker(parts), parts.take("values"), list(parts.take("intercepts"))
    output_count = parts.output_count

    def score(codes, texts):
        scores = intercepts[:]
        for tree, (leaf, _) in enumerate(walk(codes)):
            scores[tree % output_count] += values[leaf]
        return probabilities_of(scores)

    return score


def score_tables(head, parts):
    """Codes to scores of the outputs, without making probabilities of them."""
    intercepts, output_count = list(parts.take("intercepts")), parts.output_count
    tables = [(index, parts.take(f"table.{index}")) for index, has in enumerate(head["hasTable"]) if has]
    for index, table in tables:
        if len(table) != parts.code_counts[index] * output_count:
            raise damaged("a table does not fit its feature")

    def scores_of(codes):
        scores = intercepts[:]
        for index, table in tables:
            start = codes[index] * output_count
            for k in range(output_count):
                scores[k] += table[start + k]
        return scores

    return scores_of


def additive(head, parts):
    scores_of = score_tables(head, parts)
    return lambda codes, texts: probabilities_of(scores_of(codes))


def grouper(parts):
    """Codes to the groups of the coarse columns; and how many groups each has."""
    features, counts, groups = parts.take("columns.features"), parts.take("groupCounts"), parts.take("groupOfCode")
    starts = [0, *itertools.accumulate(parts.code_counts[feature] for feature in features)]
    if len(groups) != starts[-1]:
        raise damaged("its groups do not fit its features")
    columns = list(zip(features, starts))
    return (lambda codes: [groups[start + codes[feature]] for feature, start in columns]), counts


def paired(head, parts):
    groups_of, counts = grouper(parts)
    pairs = [(first, second, max(0, counts[second] - 1)) for first, second in zip(parts.take("firsts"), parts.take("seconds"))]
    joint = [FIRST + (counts[first] - 1) * stride for first, _, stride in pairs]
    scores_of = score_tables(head["additive"], parts.inside("additive", [*parts.code_counts, *joint]))

    def joint_code(g, h, stride):
        return UNSEEN if UNSEEN in (g, h) else FIRST + max(0, g - 1) * stride + max(0, h - 1)

    def score(codes, texts):
        groups = groups_of(codes)
        return probabilities_of(scores_of([*codes, *(joint_code(groups[a], groups[b], n) for a, b, n in pairs)]))

    return score


def networks(head, parts):
    groups_of, counts = grouper(parts)
    priors, members = list(parts.take("logPriors")), parts.take("memberStarts")
    contexts, terms, output_count = parts.take("contexts"), parts.take("terms"), parts.output_count
    sizes = [*counts, 1]
    nodes, start = [], 0
    for own, first, second in zip(parts.take("nodeColumns"), parts.take("firstParents"), parts.take("secondParents")):
        nodes.append((own, first, second, start, sizes[second]))
        start += sizes[first] * sizes[second]
    by_member = [nodes[members[m] : members[m + 1]] for m in range(len(members) - 1)]
    is_geometric = head["pooling"] == "geometric"

    def score(codes, texts):
        groups = [*groups_of(codes), 0]
        pooled = [0.0] * output_count
        for member in by_member:
            scores = priors[:]
            for own, first, second, start, stride in member:
                at = contexts[start + groups[first] * stride + groups[second]] + groups[own] * output_count
                for k in range(output_count):
                    scores[k] += terms[at + k]
            if not is_geometric:
                scores = softmax(scores) if output_count > 1 else [logistic(scores[0])]
            for k in range(output_count):
                pooled[k] += scores[k]
        means = [own / len(by_member) for own in pooled]
        if is_geometric:
            return probabilities_of(means)
        return means if output_count > 1 else [1 - means[0], means[0]]

    return score


def hidden_layer(head, parts):
    unit_count, output_count = head["unitCount"], parts.output_count
    inputs, values, weights = parts.take("codeInputs"), parts.take("codeValues"), parts.take("unitWeights")
    unit_intercepts, intercepts = list(parts.take("unitIntercepts")), list(parts.take("intercepts"))
    output_weights = parts.take("outputWeights")
    starts = [0, *itertools.accumulate(parts.code_counts)]
    lengths = [len(inputs), len(values), len(unit_intercepts), len(output_weights), len(intercepts)]
    if lengths != [starts[-1], starts[-1], unit_count, unit_count * output_count, output_count] or unit_count < 1:
        raise damaged("its hidden layer does not fit its features")
    if any(value != 0 and not 0 <= own < len(weights) // unit_count for own, value in zip(inputs, values)):
        raise damaged("its codes stand for inputs that it does not have")

    def score(codes, texts):
        sums, scores = unit_intercepts, intercepts
        for start, code in zip(starts, codes):
            value = values[start + code]
            if value != 0:
                first = inputs[start + code] * unit_count
                sums = [own + value * weight for own, weight in zip(sums, weights[first : first + unit_count])]
        for u, unit in enumerate(map(math.tanh, sums)):
            own = output_weights[u * output_count : (u + 1) * output_count]
            scores = [output + unit * weight for output, weight in zip(scores, own)]
        return probabilities_of(scores)

    return score


LOG_COUNTS = array("f", [0.0, *(1 + math.log(count) for count in range(1, 256))])


def terms(head, parts, plain_counts):
    scores_of, output_count = score_tables(head["tables"], parts.inside("tables")), parts.output_count
    readers = []
    for index, own in enumerate(head["texts"]):
        of_text = parts.inside(f"text.{index}")
        readers.append((own, of_text.take("scales"), of_text.take("termWeights"), plain_counts[index]))

    def score(codes, texts):
        scores = scores_of(codes)
        for row, (own, scales, weights, plain_count) in zip(texts, readers):
            is_log = own["counting"] == "log"
            exact = [(LOG_COUNTS[count] if is_log else 1.0) * scales[term] for term, count in row]
            values = array("f", exact)
            if own["isNormalised"]:
                plain = root_of(value * value for (term, _), value in zip(row, exact) if term < plain_count)
                pieces = root_of(value * value for (term, _), value in zip(row, exact) if term >= plain_count)
                values = array("f", [v * (plain if term < plain_count else pieces) for (term, _), v in zip(row, values)])
            for (term, _), value in zip(row, values):
                start = term * output_count
                for k in range(output_count):
                    scores[k] += value * weights[start + k]
        return probabilities_of(scores)

    return score


def root_of(squares):
    total = sum_of(squares)
    return 1 / math.sqrt(total) if total > 0 else 0.0


def stack(head, parts, plain_counts):
    weights, intercepts, class_count = parts.take("weights"), list(parts.take("intercepts")), parts.class_count
    merged_counts = head["mergedCodeCounts"]
    merges = [[parts.take(f"merge.{v}.{j}") for j in range(len(counts))] for v, counts in enumerate(merged_counts)]

    def counts_of(merge):
        return parts.code_counts if merge is None else merged_counts[merge]

    members = [
        (own["merge"], weights[m], build(own["model"], parts.inside(f"member.{m}", counts_of(own["merge"])), plain_counts))
        for m, own in enumerate(head["members"])
    ]
    mains = head["mains"]
    if mains is not None:
        scores_of = score_tables(mains["tables"], parts.inside("mains", counts_of(mains["merge"])))

    def score(codes, texts):
        views = {None: codes}
        for v, merge in enumerate(merges):
            views[v] = [code_of[code] for code_of, code in zip(merge, codes)]
        scores = intercepts[:]
        for merge, weight, member in members:
            logs = [math.log(p + 0.002) for p in member(views[merge], texts)]
            mean = sum_of(logs) / class_count
            for k in range(class_count):
                scores[k] += weight * (logs[k] - mean)
        found = softmax(scores)
        if mains is None:
            return found
        own = scores_of(views[mains["merge"]])
        own = [0.0, *own] if len(own) == 1 else own
        return softmax([math.log(max(5e-324, p)) + more for p, more in zip(found, own)])

    return score


KINDS = {
    **{"forest": forest, "additive trees": additive_trees, "additive": additive},
    **{"paired": paired, "networks": networks, "hidden layer": hidden_layer},
}
KINDS_WITH_TEXTS = {"terms": terms, "stack": stack}


def build(head, parts, plain_counts):
    """The function from codes and terms to the probabilities of the classes."""
    if head["kind"] in KINDS:
        return KINDS[head["kind"]](head, parts)
    if head["kind"] in KINDS_WITH_TEXTS:
        return KINDS_WITH_TEXTS[head["kind"]](head, parts, plain_counts)
    raise CupelError(f"This reader does not know models of the kind {head['kind']!r}. Get a newer reader.")


# ---- The model


class Column:
    """One column of a model: its cells to the codes of its features."""

    def __init__(self, column, features, text, text_features, markers):
        self.name, self.reading, self.text = column["name"], column["reading"], text
        self.missing = markers | set(self.reading.get("missingTexts", ()))
        self.features, self.text_features = features, text_features
        self.remembered = {}
        kind = self.reading["kind"]
        self.read_number = number_reader(self.reading["form"]) if kind == "number" else None
        self.category_makers = [(index, category_coder(own, codes)) for index, own, codes in features if own["kind"] == "category"]

    def read_cell(self, cell):
        """Pairs of a feature's place and its code, and the amount, of which differences are made: None where there is none.
        The same cells come again and again."""
        found = self.remembered.get(cell)
        if found is None:
            text = cell.strip(WHITE)
            found = self.all_missing() if text in self.missing else self.read_text(text)
            if len(self.remembered) >= MOST_REMEMBERED:
                self.remembered.clear()
            self.remembered[cell] = found
        return found

    def all_missing(self):
        return [(index, MISSING) for index, _, _ in self.features], None

    def read_text(self, text):
        kind = self.reading["kind"]
        if kind == "number":
            return self.take_number(self.read_number(text))
        if kind == "date":
            return self.take_date(read_date(text, self.reading["form"]["order"]))
        return [(index, code_of(text)) for index, code_of in self.category_makers], None

    def take_number(self, value):
        return [(index, number_code(value, cuts)) for index, _, cuts in self.features], value

    def take_date(self, date):
        if date is None:
            return self.all_missing()
        return [(index, number_code(date_part(date, own["part"]), cuts)) for index, own, cuts in self.features], date_amount(date)

    def read(self, value):
        """As `read_cell`, of a plain value; a text is taken as a cell."""
        kind = self.reading["kind"]
        if isinstance(value, datetime.date) and kind == "date":
            return self.take_date(moment_parts(value))
        if isinstance(value, (bool, float)) and kind == "number":
            form = self.reading["form"]
            # Beyond it no text is a time.
            too_large = form["affix"] in CLOCKS and abs(value) >= (6e10 if form["affix"] == "h:mm" else 3.6e12)
            is_missing = too_large or written(value, form) in self.missing
            return self.all_missing() if is_missing else self.take_number(float(value))
        return self.read_cell(self.cell_of(value))

    def plain(self, value, row):
        """A value of a row as a plain one. A column of numbers or dates refuses what it cannot take: nobody would see that it
        is missing."""
        value, kind = plain_value(value), self.reading["kind"]
        affix = self.reading["form"].get("affix") if kind == "number" else None
        if affix in CLOCKS and isinstance(value, (datetime.time, datetime.timedelta)):
            if isinstance(value, datetime.time):
                value = datetime.datetime.combine(datetime.date.min, value.replace(tzinfo=None)) - datetime.datetime.min
            return value.total_seconds() / (60 if affix == "h:mm" else 1)
        if isinstance(value, (str, bool, float)) or (kind == "date" and isinstance(value, datetime.date)):
            return value
        if kind == "category":
            return str(value)
        raise CupelError(f'Row {row}: column "{self.name}" holds {kind}s and takes no {type(value).__name__}. Give a text as in a file.')

    def cell_of(self, value):
        """A plain value as a file would have it."""
        if isinstance(value, bool):
            word = str(value).lower()
            names = [name for _, own, _ in self.features if own["kind"] == "category" for name in own["names"]]
            return next((name for name in names if name.lower() == word), word)
        return number_text(value) if isinstance(value, float) else str(value)


def plain_value(value):
    """Texts, truth values and dates as they are, numbers as finite floats, numpy's dates and durations as Python's, and other
    values as they are. What pandas and numpy call missing is "", as None is."""
    if isinstance(value, str):
        return value
    own_type = type(value).__name__
    if own_type in ("datetime64", "timedelta64"):
        # Of nanoseconds numpy makes a whole number.
        value = value.astype(f"{own_type}[us]").item() if isinstance(value.item(), int) else value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    if isinstance(value, (numbers.Real, decimal.Decimal)):
        try:
            number = float(value)
        except (OverflowError, ValueError):
            return ""
        return number if math.isfinite(number) else ""
    return value


def category_coder(feature, codes):
    code_of = dict(zip(feature["names"], codes))
    others, names = feature["codeOfOthers"], feature["names"]
    all_numbers = len(names) > 0 and all(canonical_number(name) == name for name in names)

    def code(text):
        found = code_of.get(text)
        if found is not None:
            return found if found >= FIRST else others
        return code_of.get(canonical_number(text), others) if all_numbers else others

    return code


def difference_of(index, feature, columns, arrays):
    """The places of a difference and of its two columns, and its cut points."""
    column, minus = feature["column"], feature["minus"]
    kinds = {columns[at]["reading"]["kind"] for at in (column, minus)}
    if minus < 0 or feature["kind"] != "number" or kinds not in ({"number"}, {"date"}):
        raise damaged("a difference is not of two numbers or two dates")
    return index, column, minus, arrays[f"cutPoints.{index}"]


class Model:
    """A model in memory. Use `Model.load(path)`, or `Model.inside()` where this file holds one."""

    def __init__(self, data):
        head, arrays = unpack(data)
        try:
            self.build(head, arrays)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise damaged("its parts do not fit together") from error

    @classmethod
    def load(cls, path):
        with open(path, "rb") as file:
            return cls(file.read())

    @classmethod
    def inside(cls):
        if MODEL is None:
            raise CupelError("This file holds no model: name one.")
        return cls(zlib.decompress(base64.b64decode(MODEL)))

    def build(self, head, arrays):
        self.label, self.labels = head["label"], head["labels"]
        self.temperature, self.class_weights = head.get("temperature", 1), head.get("classWeights")
        features, texts = head["features"], head.get("texts", [])
        self.costs = head.get("costs") if self.class_weights is None else None
        count = len(self.labels)
        rows = [self.class_weights or self.labels, *(self.costs or [])]
        if count < 2 or any(len(row) != count for row in rows) or len(rows) not in (1, 1 + count):
            raise damaged("its labels do not fit together")
        self.code_counts = [feature["codeCount"] for feature in features]
        self.text_readers = [TextReader(arrays[f"keys.{index}"]) for index in range(len(texts))]
        text_of = {own["column"]: index for index, own in enumerate(texts)}
        markers = {"", *(marker.strip(WHITE) for marker in head["missingMarkers"])}
        self.columns, self.differences = [], []
        for at, column in enumerate(head["columns"]):
            plain, of_text = [], []
            for index, feature in enumerate(features):
                if feature["column"] != at:
                    continue
                if feature.get("part") == "difference":
                    self.differences.append(difference_of(index, feature, head["columns"], arrays))
                    continue
                own = arrays[f"codes.{index}"] if feature["kind"] == "category" else arrays[f"cutPoints.{index}"]
                is_of_text = at in text_of and feature["kind"] != "category"
                if is_of_text:
                    of_text.append((index, feature, own, arrays.get(f"scoreWeights.{index}")))
                else:
                    plain.append((index, feature, own))
            self.columns.append(Column(column, plain, text_of.get(at), of_text, markers))
        plain_counts = [own["plainCount"] for own in texts]
        parts = Parts(arrays, "", self.code_counts, len(self.labels))
        self.probabilities_of_codes = build(head["model"], parts, plain_counts)

    def code(self, values):
        """The codes of one row, and the terms of its texts. `values`: one for each column, in the model's order, as `plain_value`
        makes them."""
        codes, texts, amounts = [MISSING] * len(self.code_counts), [None] * len(self.text_readers), []
        for column, value in zip(self.columns, values):
            if column.text is not None:
                texts[column.text] = self.read_text(column, column.cell_of(value), codes)
            own, amount = column.read(value)
            amounts.append(amount)
            for index, code in own:
                codes[index] = code
        for index, column, minus, cuts in self.differences:
            if amounts[column] is not None and amounts[minus] is not None:
                value = amounts[column] - amounts[minus]
                codes[index] = number_code(value if math.isfinite(value) else None, cuts)
        return codes, texts

    def read_text(self, column, cell, codes):
        text = cell.strip(WHITE)
        if text in column.missing:
            return []
        word_count, row = self.text_readers[column.text].read(text)
        for index, feature, cuts, weights in column.text_features:
            if feature["kind"] == "score":
                own = [weights[term] for term, _ in row if term < len(weights)]
                value = sum_of([feature["bias"], *own]) if any(own) else None
            else:
                value = text_part(text, word_count, feature["part"])
            codes[index] = number_code(value, cuts)
        return row

    def answer(self, values):
        """The decided class of one row, and the probabilities of all."""
        try:
            own = self.probabilities_of_codes(*self.code(values))
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise damaged("its parts do not fit together") from error
        decided = own.index(max(own))
        if self.temperature != 1:
            most = max(own)
            powers = [(p / most) ** (1 / self.temperature) for p in own]
            total = sum_of(powers)
            own = [power / total for power in powers]
        if self.class_weights is not None:
            weighted = [p * weight for p, weight in zip(own, self.class_weights)]
            decided = weighted.index(max(weighted))
        if self.costs is not None:
            expected = [sum_of(p * costs[k] for p, costs in zip(own, self.costs)) for k in range(len(own))]
            decided = expected.index(min(expected))
        return decided, own

    def score(self, rows):
        """Label, confidence and the probability of each label for every row, a dictionary of values by column name."""
        return [self.score_row(row, at) for at, row in enumerate(rows, 1)]

    def score_row(self, row, at):
        missing = [column.name for column in self.columns if column.name not in row]
        if missing:
            raise CupelError(f"Row {at} lacks {listed(missing)}. Names must match exactly; where there is no value, give None.")
        decided, own = self.answer([column.plain(row[column.name], at) for column in self.columns])
        probabilities = dict(zip(self.labels, own))
        return {"label": self.labels[decided], "confidence": own[decided], "probabilities": probabilities}

    def predict(self, rows):
        """The label of every row."""
        return [answer["label"] for answer in self.score(rows)]


# ---- Files

SIX_DIGITS = decimal.Context(prec=6, rounding=decimal.ROUND_HALF_UP)


def six_digits(value):
    return number_text(SIX_DIGITS.create_decimal_from_float(value))


def listed(names):
    shown = ", ".join(f'"{name}"' for name in names[:10])
    return f"{shown} and {len(names) - 10} more" if len(names) > 10 else shown


def free_name(name, taken):
    """The name, or the first of it with _2, _3 and so on that is not taken; takes it."""
    free, suffix = name, 2
    while free in taken:
        free, suffix = f"{name}_{suffix}", suffix + 1
    taken.add(free)
    return free


def column_names(header):
    """Every name once: the first column with a name keeps it, and one without is called by its number."""
    trimmed = [cell.strip(WHITE) for cell in header]
    taken, seen, names = set(trimmed), {""}, []
    for at, name in enumerate(trimmed, 1):
        names.append(free_name(name or f"column_{at}", taken) if name in seen else name)
        seen.add(name)
    return names


def csv_line(cells):
    quoted = ('"' + cell.replace('"', '""') + '"' if re.search('[",\r\n]|^\ufeff', cell) else cell for cell in cells)
    return ",".join(quoted) + "\n"


MOST_HEADER_LINES = 1000


def header_of(records):
    """The first record that is no blank line."""
    return next((cells for cells in records if len(cells) > 1 or "".join(cells).strip(WHITE)), [])


def delimiter_of(lines, names):
    """The one between most of the model's names in the header, which may have several lines, else between most cells.
    Also gives the lines again that it has read for that, and those behind them."""
    read, unread = [], itertools.islice(lines, MOST_HEADER_LINES)

    def all_lines():
        yield from read
        for line in unread:
            read.append(line)
            yield line

    def worth(delimiter):
        cells = [cell.strip(WHITE) for cell in header_of(csv.reader(all_lines(), delimiter=delimiter))]
        return sum(cell in names for cell in cells), len(cells)

    return max(",;\t|", key=worth), itertools.chain(read, lines)


LEAST_VALUES, READABLE_SHARE = 10, 0.05
NO_VALUE, READ, UNREAD, READ_OTHERWISE = range(4)
DATE_EXAMPLES = {
    "ymd": "dates such as 2024-12-31",
    "dmy": "dates with the day first, such as 31.12.2024 or 31/12/2024",
    "mdy": "dates with the month first, such as 12/31/2024",
    "unix": "times since 1970, such as 1735689599",
}


def sorter_of(column):
    """Tells what a cell of a column of numbers or dates is: without a value, read, unread, or read in another form."""
    form = column.reading["form"]
    if column.reading["kind"] == "date":
        own = functools.partial(read_date, order=form["order"])
        others = [functools.partial(read_date, order=order) for order in DATE_EXAMPLES]
    else:
        own = column.read_number
        others = [number_reader({**form, "decimal": point, "grouping": grouping}) for point, grouping in BODIES]

    @functools.lru_cache(MOST_REMEMBERED)
    def sort_of(cell):
        text = cell.strip(WHITE)
        if text in column.missing:
            return NO_VALUE
        if own(text) is not None:
            return READ
        return UNREAD if all(other(text) is None for other in others) else READ_OTHERWISE

    return sort_of


class CellCheck:
    """Whether a file writes its numbers and dates as the model reads them: if not, its cells would count as missing."""

    def __init__(self, columns):
        valued = [(at, column) for at, column in enumerate(columns) if column.reading["kind"] != "category"]
        self.columns = [(at, column, sorter_of(column), [0] * 4) for at, column in valued]
        self.first_unread = {}

    def add(self, cells, line):
        for at, _, sort_of, counts in self.columns:
            sort = sort_of(cells[at])
            counts[sort] += 1
            if sort >= UNREAD:
                self.first_unread.setdefault(at, line)

    def require(self):
        refused = []
        for at, column, _, (_, read, unread, otherwise) in self.columns:
            total = read + unread + otherwise
            if otherwise > read or (total >= LEAST_VALUES and read <= READABLE_SHARE * total):
                refused.append((column, total, total - read, self.first_unread[at]))
        if not refused:
            return
        column, total, unread, line = refused[0]
        form = column.reading["form"]
        number = CLOCKS.get(form.get("affix"), "numbers such as 1{grouping}234{decimal}5{affix}")
        example = DATE_EXAMPLES[form["order"]] if "order" in form else number.format(**form)
        others = ", ".join(f'"{other.name}"' for other, *_ in refused[1:10])
        also = f" So it is with {others}{', …' if len(refused) > 10 else ''}." if others else ""
        raise CupelError(
            f'{unread} of the {total} values in column "{column.name}" cannot be read as {example}, the first in line {line}.{also} '
            "Write them so, or correct the names of the columns; where there is no value, leave the cell empty."
        )


def score_lines(model, lines):
    """The lines of a CSV file to the lines of its result, one by one."""
    lines = iter(lines)
    first = next(lines, None)
    if first is None:
        raise CupelError("The file is empty. It needs a line of column names.")
    names = {column.name for column in model.columns}
    separator = re.fullmatch(r"sep=([^\"\r\n])[\r\n]*", first, re.IGNORECASE)
    delimiter, lines = (separator.group(1), lines) if separator else delimiter_of(itertools.chain([first], lines), names)
    records = csv.reader(lines, delimiter=delimiter, strict=True)
    shift = 1 if separator else 0
    header = header_of(records)
    own_names = column_names(header)
    missing = [column.name for column in model.columns if column.name not in own_names]
    if missing:
        raise CupelError(f"The file lacks {listed(missing)} of the {len(names)} columns that the model needs. Names must match exactly.")
    places = [own_names.index(column.name) for column in model.columns]
    added = ["prediction", "confidence", *(f"probability_{label}" for label in model.labels)]
    taken = set(own_names)
    yield csv_line([*header, *(free_name(name, taken) for name in added)])
    check, next_line = CellCheck(model.columns), records.line_num + shift + 1
    for record in records:
        line, next_line = next_line, records.line_num + shift + 1
        if not record or (len(record) == 1 and len(header) > 1 and not record[0].strip(WHITE)):
            continue
        if len(record) != len(header):
            at = records.line_num + shift
            raise CupelError(f"Line {at} has {len(record)} cells where the header has {len(header)} columns. Correct the line.")
        cells = [record[place] for place in places]
        check.add(cells, line)
        decided, own = model.answer(cells)
        yield csv_line([*record, model.labels[decided], six_digits(own[decided]), *map(six_digits, own)])
    check.require()


def score_file(model, path, out_path):
    """Scores a file; a result that is asked for by name appears whole or not at all."""
    csv.field_size_limit(2**24)
    with sys.stdin if path == "-" else open(path, encoding="utf-8-sig", newline="") as source:
        if path == "-":
            source.reconfigure(encoding="utf-8-sig", newline="")
        if out_path is None:
            sys.stdout.reconfigure(encoding="utf-8", newline="")
            for line in score_lines(model, source):
                sys.stdout.write(line)
            sys.stdout.flush()
            return
        if os.path.exists(out_path):
            raise CupelError(f"{out_path} exists already. Name another file or remove it.")
        part_path = f"{out_path}.{os.getpid()}.part"
        try:
            with open(part_path, "x", encoding="utf-8", newline="") as out:
                out.writelines(score_lines(model, source))
            os.rename(part_path, out_path)
        except BaseException:
            if os.path.exists(part_path):
                os.unlink(part_path)
            raise


def check(model, path):
    """Compares with a check file: the number of rows that differ in a label, and the largest difference of a probability."""
    with open(path, encoding="utf-8") as file:
        expected = json.load(file)
    if expected["columns"] != [column.name for column in model.columns]:
        raise CupelError(f"{path} is of another model: its columns differ.")
    wrong, largest = 0, 0.0
    for row, label, probabilities in zip(expected["rows"], expected["labels"], expected["probabilities"]):
        decided, own = model.answer(row)
        wrong += model.labels[decided] != label
        largest = max(largest, *(abs(a - b) for a, b in zip(own, probabilities)))
    print(f"{len(expected['rows'])} rows: {wrong} labels differ, probabilities by {largest:.1e} at most.")
    return wrong == 0 and largest <= 1e-9


def main():
    parser = argparse.ArgumentParser(description="Scores a CSV file with a Cupel model.")
    if MODEL is None:
        parser.add_argument("model", help="the .cupel file")
    parser.add_argument("file", nargs="?", help="the CSV file to score; - for standard input")
    parser.add_argument("--out", help="where the result goes; standard output unless given")
    parser.add_argument("--check", metavar="FILE", help="compare with a check file instead")
    options = parser.parse_args()
    if (options.file is None) == (options.check is None):
        parser.error("name a CSV file to score, or a check file with --check")
    try:
        model = Model.inside() if MODEL is not None else Model.load(options.model)
        if options.check is not None:
            sys.exit(0 if check(model, options.check) else BAD_INPUT)
        score_file(model, options.file, options.out)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(BAD_INPUT)
    except csv.Error as error:
        sys.exit(fail(f"{options.file} cannot be read as CSV: {error}."))
    except UnicodeDecodeError:
        sys.exit(fail(f"{options.file} is not UTF-8. Save it as UTF-8."))
    except (CupelError, OSError) as error:
        sys.exit(fail(str(error)))


def fail(message):
    print(message, file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    main()
