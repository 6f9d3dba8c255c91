import { readData } from './dataFiles.ts';
import type { Engine } from './engine.ts';

export const engine: Engine = { run: machine => readData('polars', machine) };
