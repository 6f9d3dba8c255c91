"""Joins the tables of joinedTables.json with DuckDB and prints the rows of each join as JSON, with times in UTC."""

import json
import os

import duckdb

START, END = "2023-05-01 00:00:00", "2023-05-02 00:00:00"
JOINS = {
    "sameInstant": f"""
        SELECT ts, thermal_mw, plant_mw
        FROM hours FULL JOIN (SELECT * FROM other WHERE ts >= '{START}' AND ts < '{END}') USING (ts)""",
    "aggregated": f"""
        SELECT ts, thermal_mw, plant_mw, plant_mwh
        FROM hours FULL JOIN (
            SELECT
                date_trunc('hour', ts) AS ts,
                CASE WHEN count(plant_mw) = 2 THEN avg(plant_mw) END AS plant_mw,
                CASE WHEN count(plant_mwh) = 2 THEN sum(plant_mwh) END AS plant_mwh
            FROM halfHours WHERE ts >= '{START}' AND ts < '{END}' GROUP BY 1) USING (ts)""",
    "asOf": "SELECT hours.ts, thermal_mw, price, tariff FROM hours ASOF LEFT JOIN steps ON hours.ts >= steps.ts",
    "asOfHours": """
        SELECT halfHours.ts, halfHours.plant_mw, halfHours.plant_mwh,
            CASE WHEN halfHours.ts < hours.ts + INTERVAL 1 HOUR THEN thermal_mw END
        FROM halfHours ASOF LEFT JOIN hours ON halfHours.ts >= hours.ts""",
}
TYPES = {"ts": "TIMESTAMP", "tariff": "VARCHAR"}

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "joinedTables.json"), encoding="utf-8") as file:
    tables = json.load(file)
for name, table in tables.items():
    columns = ", ".join(f"{column} {TYPES.get(column, 'DOUBLE')}" for column in table["columns"])
    duckdb.sql(f"CREATE TABLE {name} ({columns})")
    marks = ", ".join("?" for _ in table["columns"])
    duckdb.executemany(f"INSERT INTO {name} VALUES ({marks})", [[row[0].rstrip("Z"), *row[1:]] for row in table["rows"]])
joins = {}
for name, query in JOINS.items():
    rows = duckdb.sql(f"{query} ORDER BY 1").fetchall()
    joins[name] = [[ts.strftime("%Y-%m-%dT%H:%M:%SZ"), *cells] for ts, *cells in rows]
print(json.dumps(joins))
