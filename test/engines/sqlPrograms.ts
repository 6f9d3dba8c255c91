import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type SqlEngine = 'duckdb' | 'spark';

/** Python after which `run` takes a statement of SQL. The tables that it makes stay for the programs that follow. */
export const sqlRunner: Readonly<Record<SqlEngine, string>> = {
  duckdb: 'import duckdb\n\nrun = duckdb.execute\n',
  spark: 'from pyspark.sql import SparkSession\n\nrun = SparkSession.builder.getOrCreate().sql\n',
};

/** Python that runs the SQL that was written beside an exported table. */
export async function sqlMaking(engine: SqlEngine, folder: string, table: string): Promise<string> {
  const statements = (await readFile(join(folder, `_${table}.${engine}.sql`), 'utf8')).split(/;\n/).slice(0, -1);
  return `${sqlRunner[engine]}for statement in ${JSON.stringify(statements)}:\n    run(statement)\n`;
}
