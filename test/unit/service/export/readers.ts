/** Returns DuckDB's result for a statement. */
export type RunSql = (sql: string) => Promise<{ names: string[]; types: string[]; rows: unknown[][] }>;

/** Starts a DuckDB engine. Returns undefined, with a console message, if it cannot be loaded on this platform. */
export async function duckDb(): Promise<RunSql | undefined> {
  try {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await connection.run("SET TimeZone = 'UTC'");
    return async sql => {
      const reader = await connection.runAndReadAll(sql);
      return {
        names: reader.columnNames(),
        types: reader.columnTypes().map(String),
        rows: reader.getRows().map(plain),
      };
    };
  } catch (error) {
    console.log(`      DuckDB cannot be loaded here: ${String(error)}`);
    return undefined;
  }
}

function plain(row: readonly unknown[]): unknown[] {
  return row.map(value => {
    const isInstant = typeof value === 'object' && value !== null && 'micros' in value;
    return isInstant ? new Date(Number(value.micros) / 1000) : value;
  });
}
