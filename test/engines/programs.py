"""Runs programs, each by itself, and writes the rows that each ends with.

Reads a list of {name, kind, code} from the JSON file that is named first, writes one of {name, seconds, rows or error} to the
second. `kind` says where the rows are: in `frame` of pandas, polars or Spark, in the table `grid` or `grid_files` of DuckDB,
which `code` makes as SQL or as Python, or in `records`, a list of dicts.
"""

import contextlib
import datetime
import io
import json
import sys
import time
import traceback

epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def cell(value):
    """A value as JSON: instants as whole milliseconds, a missing value as null, numbers to the last digit."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return f"{value.isoformat()} without a zone"
        return round((value - epoch) / datetime.timedelta(milliseconds=1))
    if isinstance(value, dict):
        return {name: cell(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [cell(inner) for inner in value]
    if isinstance(value, (bool, int, str)):
        return value
    if hasattr(value, "item"):
        return cell(value.item())
    number = float(value)
    return None if number != number else number


def spark_records(frame):
    """Python's own instants of Spark are in the zone of the machine: milliseconds leave no doubt."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import TimestampType

    columns = [
        F.unix_millis(F.col(f"`{name}`")).alias(name) if isinstance(kind, TimestampType) else F.col(f"`{name}`")
        for name, kind in ((field.name, field.dataType) for field in frame.schema)
    ]
    return [row.asDict(recursive=True) for row in frame.select(*columns).collect()]


def duckdb_records(connection):
    tables = [name for (name,) in connection.execute("SHOW TABLES").fetchall()]
    result = connection.execute(f"FROM {'grid' if 'grid' in tables else 'grid_files'}")
    names = [column[0] for column in result.description]
    return [dict(zip(names, row)) for row in result.fetchall()]


def records_of(kind, names):
    if kind == "records":
        return names["records"]
    if kind == "pandas":
        frame = names["frame"]
        return (frame.reset_index() if frame.index.name else frame).to_dict("records")
    if kind == "polars":
        return names["frame"].to_dicts()
    if kind == "duckdb":
        return duckdb_records(names["database"])
    return spark_records(names["frame"])


def run(kind, code):
    names = {"__name__": "__main__"}
    if kind == "sql":
        import duckdb

        connection = duckdb.connect()
        connection.execute(code)
        return duckdb_records(connection)
    exec(compile(code, "program", "exec"), names)
    return records_of(kind, names)


def outcome(job):
    began = time.perf_counter()
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            rows = [{name: cell(value) for name, value in row.items()} for row in run(job["kind"], job["code"])]
        result = {"rows": rows}
    except (Exception, SystemExit):
        result = {"error": f"{printed.getvalue()[-500:]}{traceback.format_exc(limit=-2)}"}
    return {"name": job["name"], "seconds": time.perf_counter() - began, **result}


with open(sys.argv[1], encoding="utf-8") as file:
    jobs = json.load(file)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump([outcome(job) for job in jobs], file)
