import type { Engine } from './engine.ts';
import { readReplaced } from './replaced.ts';

/** The exported folder as a table of DuckDB. */
export const engine: Engine = { run: machine => readReplaced('duckdb', machine) };
