"""Writes the files beside it, as other programs do: pip install pandas polars pyarrow, then python write.py

repeated_*.parquet and old_list_structure.parquet are of https://github.com/apache/parquet-testing (Apache License 2.0).
"""

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

# A frame of several blocks: the buffers of its columns are longer than one.
rows, hours = 9_000, 500
times = pd.date_range("2024-01-01", periods=hours, freq="h", tz="Africa/Johannesburg")
frame = pd.DataFrame(
    {
        "time": times[[row % hours for row in range(rows)]],
        "hour": [float(row % 24) if row % 7 else None for row in range(rows)],
        "name": [f"station {row // hours}" for row in range(rows)],
    }
)
frame.astype({"name": "category"}).assign(text=frame["name"]).to_feather("pandas.feather")

count = 120
codecs = ["snappy", "gzip", "brotli", "zstd", "lz4", "none"]
table = pa.table(
    {
        "ns": pa.array([1_714_521_600_123_456_789 + row * 3_600_000_000_000 for row in range(count)], pa.timestamp("ns", "UTC")),
        **{codec: pa.array([None if row % 5 == 0 else row / 4 for row in range(count)]) for codec in codecs},
        "dictionary": pa.array([f"unit {row % 3}" for row in range(count)]),
        "packed": pa.array([row * row - 100 for row in range(count)], pa.int64()),
        "delta_length": pa.array([f"text {row}" for row in range(count)]),
        "delta": pa.array([f"text {row:05}" for row in range(count)]),
        "split": pa.array([row / 8 for row in range(count)], pa.float64()),
        "decimal": pa.array([Decimal(row).scaleb(-2) for row in range(count)], pa.decimal128(9, 2)),
        "wide": pa.array([Decimal(row).scaleb(-2) for row in range(count)], pa.decimal128(30, 2)),
        "day": pa.array([date(2024, 5, 1 + row % 28) for row in range(count)]),
        "list": pa.array([None if row % 4 == 0 else [row, None] for row in range(count)], pa.list_(pa.int32())),
        "struct": pa.array([{"a": row, "b": {"c": f"t{row % 2}"}} for row in range(count)]),
        "big": pa.array([2**53 + row for row in range(count)], pa.int64()),
    }
)
encodings = {
    "packed": "DELTA_BINARY_PACKED",
    "delta_length": "DELTA_LENGTH_BYTE_ARRAY",
    "delta": "DELTA_BYTE_ARRAY",
    "split": "BYTE_STREAM_SPLIT",
}
pq.write_table(
    table,
    "pyarrow.parquet",
    compression={name: name for name in codecs} | {name: "snappy" for name in table.column_names if name not in codecs},
    use_dictionary=["dictionary"],
    column_encoding=encodings,
    row_group_size=50,
    data_page_version="2.0",
)
pq.write_table(
    pa.table({"time": table["ns"], "mw": table["snappy"]}).slice(0, 48),
    "int96.parquet",
    use_deprecated_int96_timestamps=True,
)

# Each column in several pages, with nulls in each.
nulls = {
    "packed": pa.array([None if row % 3 == 0 else row * row - 100 for row in range(count)], pa.int64()),
    "delta": pa.array([None if row % 3 == 1 else f"text {row:05}" for row in range(count)]),
    "delta_length": pa.array([None if row % 4 == 1 else f"text {row}" for row in range(count)]),
    "split": pa.array([None if row % 5 == 2 else row / 8 for row in range(count)], pa.float64()),
    "flag": pa.array([None if row % 4 == 0 else row % 7 < 3 for row in range(count)]),
    "unit": pa.array([None if row % 6 == 0 else f"unit {row % 5}" for row in range(count)]),
    "list": pa.array([None if row % 4 == 0 else [row, None][: row % 3] for row in range(count)], pa.list_(pa.int32())),
}
for version in ["1.0", "2.0"]:
    pq.write_table(
        pa.table(nulls),
        f"pages-{version}.parquet",
        compression="snappy",
        use_dictionary=["unit"],
        column_encoding={**encodings, "flag": "RLE"},
        data_page_version=version,
        data_page_size=1,
        write_batch_size=16,
    )

few = range(1, 4)
numbers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
feather.write_feather(
    pa.table(
        {
            **{name: pa.array(few, getattr(pa, name)()) for name in numbers},
            "float16": pa.array(np.array(few, np.float16)),
            **{name: pa.array([date(2024, 1, day) for day in few], getattr(pa, name)()) for name in ["date32", "date64"]},
            **{unit: pa.array([datetime(2024, 1, day) for day in few], pa.timestamp(unit, "UTC")) for unit in ["s", "ms", "us", "ns"]},
            "list": pa.array([[1]] * 3),
            "decimal": pa.array([Decimal("1.25")] * 3),
            "last": pa.array(["a", "b", None]),
        }
    ),
    "types.feather",
)

moment = datetime(2024, 1, 1, 12)
cells = pa.table(
    {
        "time": pa.array([datetime(2024, 1, day) for day in few], pa.timestamp("ms", "UTC")),
        "view": pa.array(["twelve bytes", "longer than twelve bytes: é", None], pa.string_view()),
        "again": pa.array([None, "", "the second column of views"], pa.string_view()),
        "decimal": pa.array([Decimal("-1.250000000000000000"), None, Decimal("0.07")], pa.decimal128(38, 18)),
        "wide": pa.array([Decimal("12345678901234567890.5"), Decimal("-0.5"), None], pa.decimal256(60, 1)),
        "small": pa.array([Decimal("1.5"), Decimal("-0.5"), Decimal("99.9")], pa.decimal64(10, 1)),
        "numbers": pa.array([[1, None], None, []], pa.list_(pa.int64())),
        "texts": pa.array([["a", "b"], ["longer than twelve bytes"], None], pa.large_list(pa.string_view())),
        "pair": pa.array([[1.5, 2.5], None, [float("nan"), 0.5]], pa.list_(pa.float64(), 2)),
        "object": pa.array([{"on": True, "at": moment, "in": [{"mw": Decimal("1.5")}]}, None, {"on": None, "at": None, "in": None}]),
        "map": pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int32())),
        "nothing": pa.nulls(3),
        "clock": pa.array([moment.time()] * 3),
        "last": pa.array([1, 2, 3]),
    }
)
with pa.ipc.new_file("cells.arrow", cells.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
    # Two batches: what is read of the second begins with its own rows.
    file.write_table(cells, max_chunksize=2)

# Cells that no double or Date has, with one of before 1970 in each.
kinds = pa.table(
    {
        "ns": pa.array([-1, 1_714_521_600_123_456_789, None], pa.timestamp("ns", "UTC")),
        "us": pa.array([-1_001, 1_000, None], pa.timestamp("us", "UTC")),
        "ms": pa.array([-1, 1_714_521_600_123, None], pa.timestamp("ms", "UTC")),
        "decimal": pa.array([Decimal("1234567890123456789.0123456789"), Decimal("-0.0000000001"), None], pa.decimal128(38, 10)),
        "price": pa.array([Decimal("0.35"), Decimal("-1234567.89"), None], pa.decimal128(9, 2)),
        "uint64": pa.array([2**64 - 1, 1, None], pa.uint64()),
        "uint32": pa.array([2**32 - 1, 1, None], pa.uint32()),
        "clock": pa.array([63_000_000_000, 250_100, None], pa.time64("us")),
        "clock_ms": pa.array([63_000_250, 0, None], pa.time32("ms")),
        "duration": pa.array([93_600_500, -86_400_000, None], pa.duration("ms")),
        "bytes": pa.array([b"abc", b"\x00\xff", None]),
        "four": pa.array([b"abcd", b"\x00\x00\x00\x01", None], pa.binary(4)),
        "date": pa.array([date(1969, 12, 31), date(2024, 5, 1), None]),
        "unit": pa.array([2**60, 7, None], pa.int64()).dictionary_encode(),
        "nothing": pa.nulls(3),
        "list": pa.array([[2**53 + 1, 1], [], None], pa.list_(pa.uint64())),
        "parts": pa.array(
            [{"at": -1, "price": Decimal("0.35"), "took": -90_000_000_000, "days": [date(2024, 5, 1), None]}, None, {}],
            pa.struct([("at", pa.timestamp("ns")), ("price", pa.decimal128(20, 2)), ("took", pa.duration("us")), ("days", pa.list_(pa.date32()))]),
        ),
        "map": pa.array([[("a", 2**60), ("a", None)], [], None], pa.map_(pa.string(), pa.int64())),
    }
)
pq.write_table(kinds, "kinds.parquet")
for make, name in [(pa.ipc.new_file, "kinds.arrow"), (pa.ipc.new_stream, "kinds.arrows")]:
    with make(name, kinds.schema) as file:
        file.write_table(kinds)
# As before version 0.15, without marks before its messages.
with pa.ipc.new_stream("old.arrows", kinds.schema, options=pa.ipc.IpcWriteOptions(use_legacy_format=True)) as stream:
    stream.write_table(kinds)

three = range(3)
ids, offsets = pa.array([0, 1, 1], pa.int8()), pa.array([0, 0, 1], pa.int32())
rare = pa.table(
    {
        "either": pa.UnionArray.from_dense(ids, offsets, [pa.array([2**60]), pa.array(["text", None])], ["whole", "text"], [0, 1]),
        "both": pa.UnionArray.from_sparse(ids, [pa.array(three), pa.array([-1] * 3, pa.timestamp("ns", "UTC"))], ["whole", "time"], [0, 1]),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array([1.5, None])),
        "interval": pa.array([pa.MonthDayNano([14, -3, 10**16 + 1]), pa.MonthDayNano([0, 0, -500_000_000]), None]),
        "view": pa.array([[1, 2], [], None], pa.list_view(pa.int64())),
        "bytes": pa.array([b"\x00\xff", b"longer than twelve bytes", None], pa.binary_view()),
    }
)
with pa.ipc.new_file("rare.arrow", rare.schema) as file:
    file.write_table(rare)

# The second batch has a dictionary that adds to the first, the third another one.
deltas = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
words = [pa.DictionaryArray.from_arrays(pa.array([0, len(values) - 1, None]), pa.array(values)) for values in ([30, 40], [30, 40, 50], [7, 8])]
with pa.ipc.new_stream("dictionaries.arrows", pa.schema([("unit", words[0].type)]), options=deltas) as stream:
    for unit in words:
        stream.write_batch(pa.record_batch({"unit": unit}))

# An index that has the name of a column, and dictionaries behind the rows.
hours = pd.date_range("2024-05-01", periods=3, freq="h", tz="UTC", name="time")
pd.DataFrame({"time": [1, 2, 3], "mw": [1.5, 2.5, 3.5]}, index=hours).to_parquet("index.parquet")
units = pl.Series(["Kusile", None, "Medupi"], dtype=pl.Categorical)
pl.DataFrame({"unit": units, "took": [timedelta(hours=26), None, timedelta(0)]}).write_ipc("polars.arrow")
