import type { Engine } from './engine.ts';
import { exportYears, readYears, checkStatistics } from './years.ts';

/** Exports thirty years and reads them with DuckDB. */
export const engine: Engine = {
  isLong: true,
  async *run(machine) {
    const written = await exportYears(machine);
    const [one, all] = written.exports;
    yield { label: 'exported: 1 year', rows: one.rows, seconds: one.seconds };
    const ratio = all.seconds / one.seconds / (all.rows / one.rows);
    yield { label: `exported: 30, ${ratio.toFixed(2)} × linear`, rows: all.rows, seconds: all.seconds };
    yield await checkStatistics(machine, all.folder);
    yield* readYears('duckdb', machine, written);
  },
};
