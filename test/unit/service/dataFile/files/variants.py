"""Writes one table in each way that pyarrow, pandas, polars and DuckDB have, and its cells as JSON: python variants.py FOLDER"""

import json
import os
import sys
from datetime import date, timedelta
from decimal import Decimal

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

os.chdir(sys.argv[1])
rows = range(300)
micros = [(row - 150) * 777_777_777_777 for row in rows]


def gaps(values, each=5):
    return [None if row % each == 0 else value for row, value in enumerate(values)]


def clock(micros):
    return f"{micros // 3_600_000_000:02}:{micros // 60_000_000 % 60:02}:{micros // 1_000_000 % 60:02}.{micros % 1_000_000:06}"


# Of each column its cells in Arrow, and as they have to be shown.
cents = [Decimal(f"{row + 1}{'0' * 20}5.35") for row in rows]
clocks = [row * 287_000_001 + 1 for row in rows]
columns = {
    "int": (pa.array(gaps([row * row - 999 for row in rows]), pa.int32()), gaps([row * row - 999 for row in rows])),
    "big": (pa.array(gaps([2**53 + row for row in rows]), pa.int64()), gaps([str(2**53 + row) for row in rows])),
    "uint64": (pa.array([2**64 - 1 - row for row in rows], pa.uint64()), [str(2**64 - 1 - row) for row in rows]),
    "uint32": (pa.array(gaps([2**32 - 1 - row for row in rows]), pa.uint32()), gaps([2**32 - 1 - row for row in rows])),
    "float": (pa.array(gaps([row / 8 for row in rows], 3), pa.float32()), gaps([row / 8 for row in rows], 3)),
    "double": (pa.array([row / 7 for row in rows]), [row / 7 for row in rows]),
    "price": (pa.array(gaps([Decimal(row - 99).scaleb(-2) for row in rows]), pa.decimal128(9, 2)), gaps([(row - 99) / 100 for row in rows])),
    "cents": (pa.array(cents, pa.decimal128(38, 2)), [str(cent) for cent in cents]),
    "flag": (pa.array(gaps([row % 3 == 0 for row in rows], 4)), gaps([row % 3 == 0 for row in rows], 4)),
    "text": (pa.array(gaps([f"é{row % 40}" for row in rows], 7)), gaps([f"é{row % 40}" for row in rows], 7)),
    "bytes": (pa.array([bytes([row % 256, 255]) for row in rows]), [bytes([row % 256, 255]).hex() for row in rows]),
    "time": (pa.array(gaps(micros), pa.timestamp("us", "UTC")), gaps([micro // 1000 for micro in micros])),
    "clock": (pa.array(clocks, pa.time64("us")), [clock(micro) for micro in clocks]),
    "day": (pa.array([date(1969, 6, 1) + timedelta(row) for row in rows]), [str(date(1969, 6, 1) + timedelta(row)) for row in rows]),
    "took": (pa.array([timedelta(row) for row in rows], pa.duration("us")), ["PT0S"] + [f"P{row}D" for row in rows[1:]]),
    "list": (pa.array(gaps([[row, None][: row % 3] for row in rows]), pa.list_(pa.int64())), gaps([json.dumps([row, None][: row % 3], separators=(",", ":")) for row in rows])),
    "part": (pa.array(gaps([{"a": row, "b": [{"c": f"{row}"}]} for row in rows])), gaps([f'{{"a":{row},"b":[{{"c":"{row}"}}]}}' for row in rows])),
}
table = pa.table({name: cells for name, (cells, _) in columns.items()})
files = {}


def written(name, names=table.column_names):
    files[name] = list(names)
    return name


def parquet(name, names=table.column_names, **options):
    pq.write_table(table.select(names), written(f"{name}.parquet", names), **options)


for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    parquet(f"pyarrow {codec}", compression=codec)
for version in ["1.0", "2.4", "2.6"]:
    parquet(f"pyarrow version {version}", version=version)
for page in ["1.0", "2.0"]:
    for dictionary in [True, False]:
        for size in [1, 100_000]:
            parquet(f"pyarrow page {page} {dictionary} {size}", data_page_version=page, use_dictionary=dictionary, data_page_size=size, write_batch_size=16)
parquet("pyarrow groups", row_group_size=37, write_page_index=True, write_page_checksum=True)
parquet("pyarrow fallback", dictionary_pagesize_limit=64)
parquet("pyarrow item", use_compliant_nested_type=False)
parquet("pyarrow integers", store_decimal_as_integer=True)
parquet("pyarrow microseconds", coerce_timestamps="us")
parquet("pyarrow int96", use_deprecated_int96_timestamps=True)
parquet("pyarrow without its schema", [name for name in columns if name != "took"], store_schema=False)
encodings = {
    "DELTA_BINARY_PACKED": ["int", "big", "uint64", "uint32", "time", "day", "took"],
    "DELTA_LENGTH_BYTE_ARRAY": ["text", "bytes"],
    "DELTA_BYTE_ARRAY": ["text", "bytes", "cents"],
    "BYTE_STREAM_SPLIT": ["int", "big", "float", "double", "cents"],
    "RLE": ["flag"],
}
for encoding, names in encodings.items():
    for page in ["1.0", "2.0"]:
        parquet(f"pyarrow {encoding} {page}", names, use_dictionary=False, column_encoding=dict.fromkeys(names, encoding), data_page_version=page, data_page_size=1, write_batch_size=16)
for compression in [None, "lz4", "zstd"]:
    for make in [pa.ipc.new_file, pa.ipc.new_stream]:
        for batch in [300, 70]:
            with make(written(f"pyarrow {make.__name__} {compression} {batch}.arrow"), table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as file:
                file.write_table(table, max_chunksize=batch)
encoded = pa.table({name: table[name].dictionary_encode() for name in columns if name not in ["list", "part"]})
feather.write_feather(encoded, written("pyarrow dictionaries.feather", encoded.column_names))
pq.write_table(encoded, written("pyarrow dictionaries.parquet", encoded.column_names))
indexed = table.drop_columns(["cents", "price", "list", "part", "clock", "day", "uint64", "bytes", "int", "uint32", "big"])
indexed.to_pandas().set_index("double").to_parquet(written("pandas.parquet", [name for name in indexed.column_names if name != "double"] + ["double"]))
frame = pl.from_arrow(table)
for compression in ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    frame.write_parquet(written(f"polars {compression}.parquet"), compression=compression, row_group_size=99)
for compression in ["uncompressed", "zstd", "lz4"]:
    frame.write_ipc(written(f"polars {compression}.arrow"), compression=compression)
    frame.write_ipc_stream(written(f"polars stream {compression}.arrow"), compression=compression)
for compression in ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4"]:
    for version in ["V1", "V2"]:
        names = [name for name in columns if name not in ["took", "bytes"]]
        path = written(f"duckdb {compression} {version}.parquet", names)
        chosen = table.select(names)
        duckdb.sql(f"COPY (SELECT * FROM chosen) TO '{path}' (FORMAT parquet, COMPRESSION {compression}, PARQUET_VERSION {version})")
json.dump({"files": files, "cells": {name: cells for name, (_, cells) in columns.items()}}, open("expected.json", "w"))
