"""Writes texts and workbooks with pandas, DuckDB, polars, openpyxl and csv into a folder, and prints what each is read as there.

pip install pandas openpyxl duckdb polars pyarrow, then python write.py FOLDER
"""

import csv
import json
import math
import sys
import warnings
from itertools import count, cycle
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import polars as pl

# Newer versions of pandas warn of options that everybody uses.
warnings.simplefilter("ignore")
folder = Path(sys.argv[1])
zone = "Africa/Johannesburg"
rows = 60
# The days and months are such that only one order of a date is possible.
times = pd.date_range("2024-01-30", periods=rows, freq="h", tz=zone)
names = ["Koeberg", 'São "Paulo"', "a, b", "x;y|z", "two\nlines", "it's"]
frame = pd.DataFrame(
    {
        "time": times,
        "mw": [None if row % 7 == 3 else (row - 20) * 1234.5678 + 0.1 for row in range(rows)],
        "small": [row * 1e-7 if row % 2 else -row / 3 for row in range(rows)],
        "units": [row * 100 for row in range(rows)],
        "flag": [row % 3 == 0 for row in range(rows)],
        "name": [names[row % len(names)] for row in range(rows)],
        "until": [None if row % 11 == 5 else time + pd.Timedelta(hours=1) for row, time in enumerate(times)],
    }
)
frame["until"] = pd.to_datetime(frame["until"])
local = frame.assign(time=frame["time"].dt.tz_localize(None), until=frame["until"].dt.tz_localize(None))
universal = frame.assign(time=frame["time"].dt.tz_convert("UTC"), until=frame["until"].dt.tz_convert("UTC"))
written = []
numbers = count(1)


def cell(value):
    """A value as JSON that the test knows; times without an offset are those of the zone."""
    if value is None or value is pd.NaT:
        return None
    if isinstance(value, pd.Timestamp):
        instant = value.tz_localize(zone) if value.tzinfo is None else value
        return {"time": instant.isoformat()}
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else {"number": "Infinity" if value > 0 else "-Infinity"}
    return value


def path(ending):
    return folder / f"{next(numbers)}.{ending}"


def expect(file, title, table, **options):
    """What the file is read as: the instants of its column "time", and each other column."""
    columns = {str(name): [cell(value) for value in table[name]] for name in table.columns}
    assert len(table) > 0 and any(value is not None for value in columns["time"]), title
    instants = columns.pop("time")
    written.append({"file": file.name, "title": title, "options": options, "times": instants, "columns": columns})


def read(file, formats, **options):
    """The table as pandas reads it back."""
    return typed(pd.read_csv(file, dtype=str, keep_default_na=False, **options), **formats)


def typed(table, time="ISO8601", utc=False, thousands="\0", decimal=".", empty=""):
    """A table of texts, in which nothing was guessed, with each column of its known kind."""
    for name in table.columns:
        texts = table[name].where(table[name] != empty, None)
        if name in ("mw", "small", "units"):
            table[name] = [None if text is None or pd.isna(text) else float(text.replace(thousands, "").replace(decimal, ".")) for text in texts]
        elif name == "flag":
            table[name] = [{"true": True, "false": False}[text.lower()] for text in texts]
        elif name in ("time", "until"):
            table[name] = pd.to_datetime(texts, format=time, utc=utc)
    return table


def like(back, original):
    """Fails where what was read back is not what was written, within the digits that were written."""
    for name in ("time", "until"):
        one, other = ([known and pd.Timestamp(known["time"]) for known in map(cell, table[name])] for table in (back, original))
        assert one == other, name
    assert list(back["name"]) == list(original["name"])
    for name in ("mw", "small", "units"):
        for one, other in zip(back[name], original[name]):
            assert pd.isna(one) == pd.isna(other) and (pd.isna(one) or abs(one - other) <= max(0.06, abs(other) * 1e-3)), (name, one, other)


def pandas_texts():
    """Dialects of to_csv: the lists have lengths without a common divisor, so that each option meets many of the others."""
    dates = [
        (frame, None, "ISO8601", True),
        (local, None, "ISO8601", False),
        (universal, "%Y-%m-%dT%H:%M:%SZ", "ISO8601", True),
        (local, "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M", False),
        (local, "%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %I:%M:%S %p", False),
        (local, "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M", False),
        (frame, "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S%z", True),
        (local, "%Y%m%d %H:%M", "%Y%m%d %H:%M", False),
        (local, "%d-%b-%y %H:%M", "%d-%b-%y %H:%M", False),
        (universal, "%Y-%m-%d %H:%M:%S UTC", "%Y-%m-%d %H:%M:%S UTC", True),
        (local, "%b %d, %Y %I:%M %p", "%b %d, %Y %I:%M %p", False),
        (universal, "%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%SZ", True),
        (local, "%Y%m%d:%H%M", "%Y%m%d:%H%M", False),
    ]
    marks = [(",", "."), (";", ","), ("\t", "."), ("|", "."), (";", "."), ("\t", ","), (",", ",")]
    floats = [(None, ""), ("%.2f", ""), ("%.3e", ""), ("%+.1f", ""), (lambda value: f"{value:,.2f}", ",")]
    empties = ["", "NA", "NaN", "-", "n/e", "#N/A", "null", "?"]
    quotings = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]
    ends = ["\n", "\r\n"]
    encodings = ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-8"]
    choices = zip(cycle(dates), cycle(marks), cycle(floats), cycle(empties), cycle(quotings), cycle(ends), cycle(encodings))
    for _, ((table, date, back, utc), (sep, decimal), (digits, thousands), empty, quoting, end, encoding) in zip(range(91), choices):
        if decimal == ",":
            # A thousands separator that is the decimal mark cannot be read by anybody.
            thousands, digits = (".", lambda value: f"{value:,.2f}".translate(str.maketrans(",.", ".,"))) if thousands else (thousands, digits)
        file = path("csv" if sep != "\t" else "tsv")
        options = dict(sep=sep, na_rep=empty, quoting=quoting, lineterminator=end, encoding=encoding, date_format=date, index=False)
        table.to_csv(file, decimal=decimal if not callable(digits) else ".", float_format=digits, **options)
        formats = {"time": back, "utc": utc, "thousands": thousands or "\0", "decimal": decimal, "empty": empty}
        known = read(file, formats, sep=sep, encoding=encoding, lineterminator=None)
        like(known, table)
        title = f"pandas {sep!r} {decimal!r} {date} {empty!r} quoting {quoting} {end!r} {encoding} {floats.index((digits, thousands)) if (digits, thousands) in floats else 'thousands'}"
        expect(file, title, known, timeZone=zone)


def pandas_others():
    """Indexes, and infinite numbers."""
    for index_name in ("id", None):
        file = path("csv")
        frame.rename_axis(index_name).to_csv(file)
        back = pd.read_csv(file, parse_dates=["time", "until"])
        expect(file, f"pandas with an index called {index_name}", back.rename(columns={"Unnamed: 0": "column 1"}))
    file = path("csv")
    frame.set_index("time").to_csv(file)
    expect(file, "pandas with times as the index", pd.read_csv(file, parse_dates=["time", "until"]))
    file = path("csv")
    infinite = frame.assign(mw=frame["mw"].fillna(math.inf), small=frame["small"].map(lambda value: -math.inf if value > 0 else value))
    infinite.to_csv(file, index=False)
    expect(file, "pandas with infinite numbers", pd.read_csv(file, parse_dates=["time", "until"]))
    wide = frame.pivot_table(index="time", columns="name", values="mw", observed=True)[["Koeberg", "a, b"]]
    file = path("csv")
    wide.to_csv(file)
    expect(file, "pandas pivoted", pd.read_csv(file, parse_dates=["time"]))
    for orient in ("records", "split", "columns", "index", "table"):
        for iso in ("iso", "epoch"):
            if orient == "table" and iso == "epoch":
                continue
            file = path("json")
            universal.to_json(file, orient=orient, date_format=iso, date_unit="ms", double_precision=15)
            kinds = {} if orient == "table" else {"dtype": False, "convert_dates": False}
            back = pd.read_json(file, orient=orient, precise_float=True, **kinds)
            for name in ("time", "until"):
                back[name] = pd.to_datetime(back[name], utc=True, unit="ms" if iso == "epoch" else None)
            expect(file, f"pandas to_json {orient} {iso}", back[list(frame.columns)])
    file = path("ndjson")
    universal.to_json(file, orient="records", lines=True, date_format="iso", double_precision=15)
    back = pd.read_json(file, lines=True, precise_float=True, dtype=False, convert_dates=False)
    for name in ("time", "until"):
        back[name] = pd.to_datetime(back[name], utc=True)
    expect(file, "pandas to_json lines", back)


def workbooks():
    """Workbooks of pandas and openpyxl, whose times have no offset."""
    file = path("xlsx")
    local.to_excel(file, index=False)
    expect(file, "pandas to_excel", pd.read_excel(file), timeZone=zone)
    file = path("xlsx")
    local.to_excel(file, sheet_name="Hours")
    expect(file, "pandas to_excel with an index", pd.read_excel(file).rename(columns={"Unnamed: 0": "column 1"}), timeZone=zone)
    file = path("xlsx")
    local.to_excel(file, index=False, startrow=3)
    expect(file, "pandas to_excel below empty rows", pd.read_excel(file, skiprows=3), timeZone=zone)
    file = path("xlsx")
    with pd.ExcelWriter(file) as writer:
        pd.DataFrame({"Contents": ["Load of 2024"]}).to_excel(writer, sheet_name="Cover", index=False)
        local.to_excel(writer, sheet_name="Hours", index=False)
    expect(file, "pandas to_excel, sheet chosen", pd.read_excel(file, sheet_name="Hours"), timeZone=zone, sheet="Hours")
    file = path("xlsx")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Data")
    sheet.append(["Load and prices"])
    sheet.append([])
    sheet.append(list(local.columns))
    for record in local.astype(object).where(local.notna(), None).itertuples(index=False):
        sheet.append([value.to_pydatetime() if isinstance(value, pd.Timestamp) else value for value in record])
    book.save(file)
    expect(file, "openpyxl with a title", pd.read_excel(file, skiprows=2), timeZone=zone)
    file = path("xlsx")
    texts = local.assign(mw=local["mw"].map(lambda value: None if pd.isna(value) else f"{value:.2f}"))
    texts.to_excel(file, index=False)
    back = pd.read_excel(file)
    expect(file, "pandas to_excel with numbers as text", back.assign(mw=back["mw"].astype(float)), timeZone=zone)


def duckdb_texts():
    """COPY of DuckDB."""
    connection = duckdb.connect()
    connection.execute(f"SET TimeZone='{zone}'")
    connection.register("frame", local)
    for title, ending, options, empty in [
        ("plain", "csv", "HEADER", ""),
        ("semicolons", "csv", "HEADER, DELIMITER ';', FORCE_QUOTE *", ""),
        ("bars and a word for nothing", "csv", "HEADER, DELIMITER '|', NULLSTR 'NULL'", "NULL"),
        ("tabs", "tsv", "HEADER, DELIMITER '\t', NULLSTR 'n/a'", "n/a"),
        ("a form of times", "csv", "HEADER, TIMESTAMPFORMAT '%d/%m/%Y %H:%M', DATEFORMAT '%d/%m/%Y'", ""),
    ]:
        file = path(ending)
        connection.execute(f"COPY frame TO '{file}' ({options})")
        sep = ";" if ";" in options else "|" if "|" in options else "\t" if ending == "tsv" else ","
        form = "%d/%m/%Y %H:%M" if "FORMAT" in options else "ISO8601"
        known = read(file, {"time": form, "empty": empty}, sep=sep)
        like(known, local)
        expect(file, f"DuckDB {title}", known, timeZone=zone)
    for title, ending, options in [("lines", "ndjson", "FORMAT json"), ("a list", "json", "FORMAT json, ARRAY true")]:
        file = path(ending)
        connection.execute(f"COPY frame TO '{file}' ({options})")
        back = connection.execute(f"SELECT * FROM read_json('{file}', convert_strings_to_integers=false)").df()
        for name in ("time", "until"):
            back[name] = pd.to_datetime(back[name])
        expect(file, f"DuckDB JSON {title}", back, timeZone=zone)


def polars_texts():
    """The CSV, JSON and lines of polars."""
    table = pl.from_pandas(local)
    for title, ending, options, formats in [
        ("plain", "csv", {}, {}),
        ("a form of times", "csv", {"datetime_format": "%Y/%m/%d %H:%M:%S", "separator": ";"}, {"time": "%Y/%m/%d %H:%M:%S"}),
        ("few digits and a word for nothing", "tsv", {"separator": "\t", "float_precision": 3, "null_value": "None"}, {"empty": "None"}),
        ("a mark and all quoted", "csv", {"include_bom": True, "quote_style": "always", "line_terminator": "\r\n"}, {}),
        ("scientific", "csv", {"float_scientific": True, "quote_style": "non_numeric"}, {}),
        ("a decimal comma", "csv", {"decimal_comma": True, "separator": ";"}, {"decimal": ","}),
    ]:
        file = path(ending)
        table.write_csv(file, **options)
        back = read(file, formats, sep=options.get("separator", ","), encoding="utf-8-sig")
        like(back, local)
        expect(file, f"polars {title}", back, timeZone=zone)
    for ending, write, back in [("ndjson", table.write_ndjson, pl.read_ndjson), ("json", table.write_json, pl.read_json)]:
        file = path(ending)
        write(file)
        known = back(file, schema=table.schema)
        expect(file, f"polars {ending}", known.to_pandas(), timeZone=zone)


def csv_texts():
    """Dialects of the csv module, with blanks, doubled quotes and escaped ones."""
    for title, options in [
        ("excel", {"dialect": "excel"}),
        ("excel-tab", {"dialect": "excel-tab"}),
        ("unix", {"dialect": "unix"}),
        ("CR", {"lineterminator": "\r", "quoting": csv.QUOTE_NONNUMERIC}),
        ("all quoted between bars", {"delimiter": "|", "quoting": csv.QUOTE_ALL}),
        ("strings quoted", {"delimiter": ";", "quoting": csv.QUOTE_STRINGS if hasattr(csv, "QUOTE_STRINGS") else csv.QUOTE_NONNUMERIC}),
    ]:
        file = path("tsv" if title == "excel-tab" else "csv")
        records = [[value.isoformat() if isinstance(value, pd.Timestamp) else value for value in record] for record in frame.astype(object).where(frame.notna(), None).itertuples(index=False)]
        with open(file, "w", newline="", encoding="utf-8") as text:
            writer = csv.writer(text, **options)
            writer.writerow(frame.columns)
            writer.writerows(records)
        dialect = {"dialect": options["dialect"]} if "dialect" in options else {"delimiter": options.get("delimiter", ",")}
        with open(file, newline="", encoding="utf-8") as text:
            head, *cells = csv.reader(text, **dialect)
        known = typed(pd.DataFrame(cells, columns=head), utc=True)
        like(known, frame)
        expect(file, f"csv {title}", known)


pandas_texts()
pandas_others()
workbooks()
duckdb_texts()
polars_texts()
csv_texts()
json.dump(written, sys.stdout, ensure_ascii=False)
