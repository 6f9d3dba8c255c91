import { type DataFile, formatPandasSnippet } from './dataFile.ts';
import { formatDuckdbSnippet, needsPython } from './duckdb.ts';
import { formatPolarsSnippet } from './polars.ts';
import { formatSparkSnippet } from './spark.ts';

/** The engines that read data on disk. */
export const dataEngines = ['duckdb', 'pandas', 'polars', 'spark'] as const;
type DataEngine = (typeof dataEngines)[number];

/** An engine. A new one needs an id in `dataEngines` and an entry in `dataSnippets`. */
interface DataSnippet {
  readonly name: string;
  /** VS Code's language id for an editor. */
  readonly editorLanguage: (data: DataFile) => string;
  /** A description of the program, by language. English, translated by the host. */
  readonly description: Readonly<Record<string, string>>;
  /** Writes the program that reads the data. */
  readonly write: (data: DataFile) => string;
}

const getPythonLanguage = (): string => 'python';

export const dataSnippets: Readonly<Record<DataEngine, DataSnippet>> = {
  duckdb: {
    name: 'DuckDB',
    editorLanguage: data => (needsPython(data) ? 'python' : 'sql'),
    write: formatDuckdbSnippet,
    description: {
      sql: 'SQL: a table, with a preview',
      python: 'SQL in Python, with a preview',
    },
  },
  pandas: {
    name: 'pandas',
    editorLanguage: getPythonLanguage,
    write: formatPandasSnippet,
    description: { python: 'a data frame, with a preview' },
  },
  polars: {
    name: 'polars',
    editorLanguage: getPythonLanguage,
    write: formatPolarsSnippet,
    description: { python: 'a polars data frame, with a preview' },
  },
  spark: {
    name: 'Spark',
    editorLanguage: getPythonLanguage,
    write: formatSparkSnippet,
    description: { python: 'PySpark, for data too large for one machine' },
  },
};
