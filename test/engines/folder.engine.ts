import type { Engine } from './engine.ts';
import { readWhileReplaced } from './readWhileReplaced.ts';

/** Reads an exported folder with DuckDB while it is replaced. */
export const engine: Engine = { run: machine => readWhileReplaced('duckdb', machine) };
