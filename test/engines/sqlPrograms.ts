import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Python that makes an exported table by the SQL that was written beside it; `run` then takes statements. */
export async function sqlStatements(engine: 'duckdb' | 'spark', folder: string, table: string): Promise<string> {
  const statements = (await readFile(join(folder, `_${table}.${engine}.sql`), 'utf8')).split(/;\n/).slice(0, -1);
  const begin = {
    duckdb: 'import duckdb\n\nrun = duckdb.connect().execute',
    spark: 'from pyspark.sql import SparkSession\n\nrun = SparkSession.builder.getOrCreate().sql',
  }[engine];
  return `${begin}\nfor statement in ${JSON.stringify(statements)}:\n    run(statement)`;
}
