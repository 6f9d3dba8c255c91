import { type DataFile, pandasSnippet } from './dataFile.ts';
import { duckdbSnippet, needsPython } from './duckdb.ts';
import { polarsSnippet } from './polars.ts';
import { sparkSnippet } from './spark.ts';

/** The engines that data on disk is read by. */
export const dataEngines = ['duckdb', 'pandas', 'polars', 'spark'] as const;
export type DataEngine = (typeof dataEngines)[number];

/** How an engine is asked: its name, VS Code's id of the language for an editor, and the program that reads the data. */
export interface DataSnippet {
  readonly name: string;
  readonly editorLanguage: (data: DataFile) => string;
  readonly write: (data: DataFile) => string;
}

const inPython = (): string => 'python';

export const dataSnippets: Readonly<Record<DataEngine, DataSnippet>> = {
  duckdb: { name: 'DuckDB', editorLanguage: data => (needsPython(data) ? 'python' : 'sql'), write: duckdbSnippet },
  pandas: { name: 'pandas', editorLanguage: inPython, write: pandasSnippet },
  polars: { name: 'polars', editorLanguage: inPython, write: polarsSnippet },
  spark: { name: 'Spark', editorLanguage: inPython, write: sparkSnippet },
};
