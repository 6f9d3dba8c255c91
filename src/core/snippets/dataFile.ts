import { DuckdbNames } from './duckdbNames.ts';
import { isMoving } from './snippetQuery.ts';
import { aboutSteps, pythonSteps, type PanelSteps } from './panelSteps.ts';
import { commentText, pythonText, offsetText } from './quote.ts';

/**
 * The form of data on disk: a file format, `hive` (a folder of Parquet files in dataset=…/interval=…/year=…/month=…), or `archive` (the
 * folder of one series, with an Arrow file per year).
 */
export const dataForms = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'arrow', 'xlsx', 'hive', 'archive'] as const;
export type DataForm = (typeof dataForms)[number];

/** A range of an archive: instants in UTC milliseconds, the end exclusive, and the range as written. */
interface DataRange {
  readonly start: number;
  readonly end: number;
  readonly range: string;
}

/** Data on disk, with the facts that a program needs to read it. */
export interface DataFile {
  readonly path: string;
  readonly form: DataForm;
  /** The name of the time column in the file; undefined if there is none. */
  readonly timeColumn: string | undefined;
  /** Set for an Excel file that has not been read: the heading of its dates names their time zone. */
  readonly headingSaysZone?: boolean | undefined;
  /** The names of all columns, if known. */
  readonly columns?: readonly string[] | undefined;
  /** The column to display first; undefined for the first numeric column. */
  readonly valueColumn?: string | undefined;
  /** The IANA time zone of days and hours, and of dates in an Excel file. */
  readonly timeZone: string;
  /** The time zone of the dates in an Excel file if it differs: UTC, in which no hour is repeated. */
  readonly zoneOfDates?: string | undefined;
  /** `semicolon`: CSV with semicolons and a decimal comma. */
  readonly dialect?: 'standard' | 'semicolon' | undefined;
  /** Whether lines that begin with # precede the heading. */
  readonly hasComments?: boolean | undefined;
  /** Whether a row is a day, which has no hour. */
  readonly isDaily?: boolean | undefined;
  /** A sentence that identifies the rows of a sandbox. */
  readonly sample?: string | undefined;
  /** For an archive: the rows to read; undefined for all. */
  readonly asked?: DataRange | undefined;
  /** The panel's transformations of the rows. */
  readonly steps?: PanelSteps | undefined;
}

/** Describes the data in lines for a comment. `isApplied`: whether the program applies the panel's transformations. */
export function aboutData(data: DataFile, makesSteps = false): string[] {
  const { timeColumn, timeZone, asked, sample, isDaily, steps } = data;
  const first = sample === undefined ? [] : [commentText(sample)];
  if (timeColumn === undefined) return [...first, 'No column says when.'];
  const lines = [
    ...first,
    isDaily
      ? `The column "${timeColumn}" says when each day begins, here in UTC.`
      : `The column "${timeColumn}" says when, here in UTC; hours of the day are those of ${timeZone}.`,
  ];
  const span = snippetSpan(data);
  if (asked && span) {
    const moves = isMoving(asked.range) ? ', as it was when this was copied: it does not move with the present' : '';
    lines.push(`Only ${asked.range} (${timeZone}): ${span.start} to ${span.end}, the end not included${moves}.`);
  }
  return [...lines, ...(steps ? aboutSteps(steps, makesSteps) : [])].map(commentText);
}

/** Formats the comment at the start of a Python program. */
export function pythonHead(data: DataFile, needs: readonly string[], makesSteps = false): string {
  return [...aboutData(data, makesSteps), `Needs: pip install ${needs.join(' ')}`].map(line => `# ${line}`).join('\n');
}

/** Returns the time column and the range to read as texts in UTC; undefined if the program reads everything. */
export function snippetSpan({
  form,
  timeColumn,
  asked,
}: DataFile): { readonly timeColumn: string; readonly start: string; readonly end: string } | undefined {
  if (form !== 'archive' || timeColumn === undefined || !asked) return undefined;
  return { timeColumn, start: offsetText(asked.start), end: offsetText(asked.end) };
}

/** The start of a program: its imports, and statements that create a pandas data frame `frame`. */
interface PandasReading {
  readonly needs: readonly string[];
  readonly imports: readonly string[];
  readonly lines: readonly string[];
}

/** Versions of pandas before 3.1 round some decimals without this option, which later versions no longer have. */
const exactDecimals = [
  'old = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)  # newer pandas reads every digit by itself',
  'exact = {"float_precision": "round_trip"} if old else {}',
];

/** By default pandas also reads texts such as NA and NULL as missing values. */
const emptyIsNull = 'keep_default_na=False, na_values=["", "NaN"]';

/** Returns Python statements that read the data with pandas, with instants in UTC. `path` is a Python expression. */
export function pandasReading(data: DataFile, path = pythonText(data.path)): PandasReading {
  const { form } = data;
  const time = data.timeColumn === undefined ? undefined : pythonText(data.timeColumn);
  const toUtc = time ? [`frame[${time}] = pd.to_datetime(frame[${time}], utc=True)`] : [];
  const read = (call: string, needs: readonly string[] = [], ...after: string[]): PandasReading => ({
    needs: ['pandas', ...needs],
    imports: ['import pandas as pd'],
    lines: [`frame = ${call}`, ...after],
  });
  // Uses Python's json, because pandas' read_json rounds some decimals, and fails for small ones such as 1e-300.
  const records = ({ needs, lines: [made = '', ...rest] }: PandasReading): PandasReading => ({
    needs,
    imports: ['import json', '', 'import pandas as pd'],
    lines: [`with open(${path}, encoding="utf-8") as file:`, `    ${made}`, ...rest],
  });
  const comments = data.hasComments ? ', comment="#"' : '';
  switch (form) {
    case 'csv':
    case 'tsv': {
      const separator = form === 'tsv' ? ', sep="\\t"' : data.dialect === 'semicolon' ? ', sep=";", decimal=","' : '';
      const { lines, ...reading } = read(
        `pd.read_csv(${path}${separator}${comments}, ${emptyIsNull}, **exact)`,
        [],
        ...toUtc,
      );
      return { ...reading, lines: [...exactDecimals, ...lines] };
    }
    case 'json':
      return records(read('pd.DataFrame(json.load(file))', [], ...toUtc));
    case 'ndjson':
      return records(read('pd.DataFrame([json.loads(line) for line in file if line.strip()])', [], ...toUtc));
    case 'parquet':
      return read(`pd.read_parquet(${path})`, ['pyarrow']);
    case 'hive': {
      // By default pandas only reads the columns of the first month.
      const months = 'pd.concat([pd.read_parquet(month) for month in months], ignore_index=True)';
      const { needs, imports, lines } = read(months, ['pyarrow']);
      return { needs, imports: ['from pathlib import Path', '', ...imports], lines: [monthsBelow(path), ...lines] };
    }
    case 'arrow':
      return read(`pd.read_feather(${path})`, ['pyarrow']);
    case 'xlsx': {
      const reading = read(
        `pd.read_excel(${path}, ${emptyIsNull})`,
        ['openpyxl'],
        ...(time ? excelTimes(data, time) : []),
      );
      if (!data.headingSaysZone) return reading;
      return { ...reading, imports: ['from zoneinfo import available_timezones', '', ...reading.imports] };
    }
    case 'archive': {
      const { imports, lines } = archiveTable(path);
      return {
        needs: ['pandas', 'pyarrow'],
        imports: [...imports, 'import pandas as pd'],
        lines: [...lines, 'frame = table.to_pandas()', ...pandasSpan(data)],
      };
    }
  }
}

/** Returns the Python statement that lists the files of a partitioned folder. `path` is a Python expression. */
export function monthsBelow(path: string): string {
  return `months = sorted(Path(${path}).rglob("*.parquet"))`;
}

/** Returns Python statements that select the requested rows. */
function pandasSpan(data: DataFile): string[] {
  const span = snippetSpan(data);
  if (!span) return [];
  const times = `frame[${pythonText(span.timeColumn)}]`;
  return [
    `start, end = pd.Timestamp("${span.start}"), pd.Timestamp("${span.end}")`,
    `frame = frame[(${times} >= start) & (${times} < end)]`,
  ];
}

/** Returns Python statements that convert Excel's dates to instants, in the column named by the Python expression `time`. */
function excelTimes({ timeZone, zoneOfDates = timeZone, headingSaysZone }: DataFile, time: string): string[] {
  const zone = pythonText(zoneOfDates);
  if (!headingSaysZone) return datesInUtc(time, zone);
  return [
    `# The heading of the dates names their zone, as in Hour (SAST); where none does, they are of ${commentText(timeZone)}.`,
    '# Where the clocks change they stand there twice: those in UTC leave no doubt.',
    'zones = available_timezones() | {"SAST"}',
    'headings = sorted((str(name) for name in frame.columns), key=lambda name: not name.endswith(" (UTC)"))',
    `heading = next((name for name in headings if name.rpartition(" (")[2].rstrip(")") in zones), ${time})`,
    'named = heading.rpartition(" (")[2].rstrip(")") if " (" in heading else ""',
    `zone = {"": ${zone}, "SAST": "Africa/Johannesburg"}.get(named, named)`,
    `frame = frame.rename(columns={heading: ${time}})`,
    ...datesInUtc(time, 'zone'),
  ];
}

/** Returns Python statements that convert dates of a time zone to instants. `time` and `zone` are Python expressions. */
function datesInUtc(time: string, zone: string): string[] {
  return [
    `if len(frame) and frame[${time}].iloc[0] > frame[${time}].iloc[-1]:  # newest first`,
    '    frame = frame.iloc[::-1]',
    `local = pd.to_datetime(frame[${time}])`,
    'try:',
    '    # Dates in Excel have no offset: of the hour that comes twice, when clocks go back, the order of the rows says which is which.',
    `    instants = local.dt.tz_localize(${zone}, ambiguous="infer")`,
    'except Exception:',
    '    # The order does not say it (other rows are left out, or they are sorted by something else): the first one is summer time.',
    `    instants = local.dt.tz_localize(${zone}, ambiguous=(~local.duplicated()).to_numpy())`,
    `frame[${time}] = instants.dt.tz_convert("UTC")`,
  ];
}

/** Returns Python statements that read all years of a series as an Arrow table `table`. `path` is a Python expression. */
export function archiveTable(path: string): Pick<PandasReading, 'imports' | 'lines'> {
  return {
    imports: ['from pathlib import Path', '', 'import pyarrow as pa', 'import pyarrow.feather as feather'],
    lines: [
      yearFilesIn(path),
      'tables = [feather.read_table(year, memory_map=False) for year in years]',
      'table = pa.concat_tables(tables, promote_options="default").unify_dictionaries()',
    ],
  };
}

/** Returns the Python statement that lists the files of a series in the archive. `path` is a Python expression. */
export function yearFilesIn(path: string): string {
  return `years = sorted(Path(${path}).glob("*.arrow"))`;
}

/** Returns the Python statement that selects the column to display. `numbers` is an expression for the first numeric one. */
export function valueLine({ valueColumn }: DataFile, numbers: string): string {
  return `value = ${valueColumn === undefined ? numbers : pythonText(valueColumn)}`;
}

/** Returns a Python program with pandas: a data frame indexed by UTC instants, and the mean by hour of the day. */
export function pandasSnippet(data: DataFile): string {
  const { needs, imports, lines } = pandasReading(data);
  const index =
    data.timeColumn === undefined ? '' : `frame = frame.set_index(${pythonText(data.timeColumn)}).sort_index()\n`;
  const steps = data.steps ? pythonSteps(data.steps, 'df') : [];
  const made = steps.length > 0 ? inDuckdb(data) : data;
  return `${pythonHead(data, [...needs, ...(steps.length > 0 ? ['duckdb'] : [])], true)}
${imports.join('\n')}

${lines.join('\n')}
${index}${steps.map(line => `${line}\n`).join('')}print(frame)

${firstLook(made)}
`;
}

/** Returns the same data with the column names that DuckDB assigns. */
export function inDuckdb(data: DataFile): DataFile & { readonly renamed: PanelSteps['renamed'] } {
  const { columns = [], steps, timeColumn, valueColumn } = data;
  const renamed = steps && steps.sql.length > 0 ? steps.renamed : new DuckdbNames(columns).renamed;
  const names = new Map(renamed);
  const nameOf = (column: string | undefined) => (column === undefined ? undefined : (names.get(column) ?? column));
  return { ...data, timeColumn: nameOf(timeColumn), valueColumn: nameOf(valueColumn), renamed };
}

/**
 * Returns statements that print the mean by hour of the day in the time zone, for a frame indexed by instants; a summary for days and
 * without instants.
 */
export function firstLook(data: DataFile): string {
  if (data.timeColumn === undefined || data.isDaily || data.steps?.isResampled) return 'print(frame.describe())';
  return `# The mean by hour of the day in ${commentText(data.timeZone)}.
${valueLine(data, 'frame.select_dtypes("number").columns[0]')}
hour = frame.index.tz_convert(${pythonText(data.timeZone)}).hour.rename("hour")
print(frame[value].groupby(hour).mean())`;
}
