import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type SqlEngine = 'duckdb' | 'spark';

/** Python code that defines `run` for SQL statements. Its tables remain for the programs that follow. */
export const sqlRunner: Readonly<Record<SqlEngine, string>> = {
  duckdb: 'import duckdb\n\nrun = duckdb.execute\n',
  spark: 'from pyspark.sql import SparkSession\n\nrun = SparkSession.builder.getOrCreate().sql\n',
};

/** Returns Python code that runs the SQL file of an exported table. */
export async function createSqlProgram(engine: SqlEngine, folder: string, table: string): Promise<string> {
  const statements = (await readFile(join(folder, `_${table}.${engine}.sql`), 'utf8')).split(/;\n/).slice(0, -1);
  return `${sqlRunner[engine]}for statement in ${JSON.stringify(statements)}:\n    run(statement)\n`;
}
