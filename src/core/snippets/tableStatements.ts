import type { ColumnKind } from '../../shared/frame.ts';
import { quoteSqlName, quoteForSql, escapeDuckdbPath } from './quote.ts';

/** The Parquet files of a dataset and interval in year=…/month=… below an absolute path, with all their columns. */
export interface HiveTable {
  readonly path: string;
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnKind>;
}

/** Returns SQL that creates a table of the files, for each engine with a catalogue. Spark's timestamps are instants; Trino's are in UTC. */
export const tableStatements = {
  duckdb: ({ path, name }: HiveTable): string => `CREATE OR REPLACE VIEW ${quoteSqlName(name)} AS
FROM read_parquet(${quoteForSql(`${escapeDuckdbPath(path)}/**/*.parquet`)}, union_by_name = true, hive_types = {year: INT, month: INT});
`,
  spark: ({ path, name, columns }: HiveTable): string => `DROP TABLE IF EXISTS ${name};
CREATE TABLE ${name} (
${formatColumns(columns, column => `\`${column.replaceAll('`', '``')}\``, { time: 'TIMESTAMP', text: 'STRING' })}
) USING parquet PARTITIONED BY (year, month) LOCATION '${path.replace(/[\\']/g, '\\$&')}';
MSCK REPAIR TABLE ${name};
`,
  trino: ({ path, name, columns }: HiveTable): string => `DROP TABLE IF EXISTS hive.default.${name};
CREATE TABLE hive.default.${name} (
${formatColumns(columns, quoteSqlName, { time: 'TIMESTAMP(3)', text: 'VARCHAR' })}
) WITH (external_location = ${quoteForSql(`file://${path}`)}, format = 'PARQUET', partitioned_by = ARRAY['year', 'month']);
CALL hive.system.sync_partition_metadata('default', ${quoteForSql(name.toLowerCase())}, 'FULL');
`,
};

function formatColumns(
  columns: HiveTable['columns'],
  quoteName: (column: string) => string,
  { time, text }: Readonly<Record<'time' | 'text', string>>,
): string {
  const types = { number: 'DOUBLE', boolean: 'BOOLEAN', time, text, nested: text, partition: 'INT' };
  const allColumns = [...columns, ['year', 'partition'] as const, ['month', 'partition'] as const];
  return allColumns.map(([column, kind]) => `  ${quoteName(column)} ${types[kind]}`).join(',\n');
}
