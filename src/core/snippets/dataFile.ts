import { DuckdbNames } from './duckdbNames.ts';
import { isRelativeRange } from './snippetQuery.ts';
import {
  describeTransformations,
  formatPythonTransformations,
  type PanelTransformations,
} from './panelTransformations.ts';
import { cleanComment, quoteForPython, formatInstantWithOffset } from './quote.ts';

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
  readonly hasZoneInHeading?: boolean | undefined;
  /** The names of all columns, if known. */
  readonly columns?: readonly string[] | undefined;
  /** The column to display first; undefined for the first numeric column. */
  readonly valueColumn?: string | undefined;
  /** The IANA time zone of days and hours, and of dates in an Excel file. */
  readonly timeZone: string;
  /** The time zone of the dates in an Excel file if it differs: UTC, in which no hour is repeated. */
  readonly datesTimeZone?: string | undefined;
  /** `semicolon`: CSV with semicolons and a decimal comma. */
  readonly dialect?: 'standard' | 'semicolon' | undefined;
  /** Whether lines that begin with # precede the heading. */
  readonly hasComments?: boolean | undefined;
  /** Whether a row is a day, which has no hour. */
  readonly isDaily?: boolean | undefined;
  /** A sentence that identifies the rows of a sandbox. */
  readonly sample?: string | undefined;
  /** For an archive: the rows to read; undefined for all. */
  readonly requestedRange?: DataRange | undefined;
  /** The panel's transformations of the rows. */
  readonly transformations?: PanelTransformations | undefined;
}

/** Describes the data in lines for a comment. `isApplied`: whether the program applies the panel's transformations. */
export function describeData(data: DataFile, isApplied = false): string[] {
  const { timeColumn, timeZone, requestedRange, sample, isDaily, transformations } = data;
  const sampleLines = sample === undefined ? [] : [cleanComment(sample)];
  if (timeColumn === undefined) return [...sampleLines, 'No column has times.'];
  const lines = [
    ...sampleLines,
    isDaily
      ? `The column "${timeColumn}" has the start of each day in UTC.`
      : `The column "${timeColumn}" has the time of each row in UTC. Hours of the day are in ${timeZone}.`,
  ];
  const span = getDataFileSpan(data);
  if (requestedRange && span) {
    const relativeNote = isRelativeRange(requestedRange.range)
      ? ', as it was when this was copied: it does not move with the present'
      : '';
    lines.push(
      `Only ${requestedRange.range} (${timeZone}): ${span.start} to ${span.end}, the end not included${relativeNote}.`,
    );
  }
  return [...lines, ...(transformations ? describeTransformations(transformations, isApplied) : [])].map(cleanComment);
}

/** Formats the comment at the start of a Python program. */
export function formatPythonHeader(data: DataFile, needs: readonly string[], isApplied = false): string {
  return [...describeData(data, isApplied), `Needs: pip install ${needs.join(' ')}`]
    .map(line => `# ${line}`)
    .join('\n');
}

/** Returns the time column and the range to read as texts in UTC; undefined if the program reads everything. */
export function getDataFileSpan({
  form,
  timeColumn,
  requestedRange,
}: DataFile): { readonly timeColumn: string; readonly start: string; readonly end: string } | undefined {
  if (form !== 'archive' || timeColumn === undefined || !requestedRange) return undefined;
  return {
    timeColumn,
    start: formatInstantWithOffset(requestedRange.start),
    end: formatInstantWithOffset(requestedRange.end),
  };
}

/** The start of a program: its imports, and statements that create a pandas data frame `frame`. */
interface PandasReader {
  readonly needs: readonly string[];
  readonly imports: readonly string[];
  readonly lines: readonly string[];
}

/** Versions of pandas before 3.1 round some decimals without this option, which later versions no longer have. */
const exactDecimalsOption = [
  'old = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)  # newer pandas reads every digit by itself',
  'exact = {"float_precision": "round_trip"} if old else {}',
];

/** By default pandas also reads texts such as NA and NULL as missing values. */
const missingValuesOption = 'keep_default_na=False, na_values=["", "NaN"]';

/** Returns Python statements that read the data with pandas, with instants in UTC. `path` is a Python expression. */
export function createPandasReader(data: DataFile, path = quoteForPython(data.path)): PandasReader {
  const { form } = data;
  const time = data.timeColumn === undefined ? undefined : quoteForPython(data.timeColumn);
  const toUtc = time ? [`frame[${time}] = pd.to_datetime(frame[${time}], utc=True)`] : [];
  const createReader = (call: string, needs: readonly string[] = [], ...furtherLines: string[]): PandasReader => ({
    needs: ['pandas', ...needs],
    imports: ['import pandas as pd'],
    lines: [`frame = ${call}`, ...furtherLines],
  });
  // Uses Python's json, because pandas' read_json rounds some decimals, and fails for small ones such as 1e-300.
  const wrapJsonFile = ({ needs, lines: [firstLine = '', ...rest] }: PandasReader): PandasReader => ({
    needs,
    imports: ['import json', '', 'import pandas as pd'],
    lines: [`with open(${path}, encoding="utf-8") as file:`, `    ${firstLine}`, ...rest],
  });
  const comments = data.hasComments ? ', comment="#"' : '';
  switch (form) {
    case 'csv':
    case 'tsv': {
      const separator = form === 'tsv' ? ', sep="\\t"' : data.dialect === 'semicolon' ? ', sep=";", decimal=","' : '';
      const { lines, ...reading } = createReader(
        `pd.read_csv(${path}${separator}${comments}, ${missingValuesOption}, **exact)`,
        [],
        ...toUtc,
      );
      return { ...reading, lines: [...exactDecimalsOption, ...lines] };
    }
    case 'json':
      return wrapJsonFile(createReader('pd.DataFrame(json.load(file))', [], ...toUtc));
    case 'ndjson':
      return wrapJsonFile(
        createReader('pd.DataFrame([json.loads(line) for line in file if line.strip()])', [], ...toUtc),
      );
    case 'parquet':
      return createReader(`pd.read_parquet(${path})`, ['pyarrow']);
    case 'hive': {
      // By default pandas only reads the columns of the first month.
      const months = 'pd.concat([pd.read_parquet(month) for month in months], ignore_index=True)';
      const { needs, imports, lines } = createReader(months, ['pyarrow']);
      return { needs, imports: ['from pathlib import Path', '', ...imports], lines: [listMonthFiles(path), ...lines] };
    }
    case 'arrow':
      return createReader(`pd.read_feather(${path})`, ['pyarrow']);
    case 'xlsx': {
      const reading = createReader(
        `pd.read_excel(${path}, ${missingValuesOption})`,
        ['openpyxl'],
        ...(time ? convertExcelTimes(data, time) : []),
      );
      if (!data.hasZoneInHeading) return reading;
      return { ...reading, imports: ['from zoneinfo import available_timezones', '', ...reading.imports] };
    }
    case 'archive': {
      const { imports, lines } = readArchiveTable(path);
      return {
        needs: ['pandas', 'pyarrow'],
        imports: [...imports, 'import pandas as pd'],
        lines: [...lines, 'frame = table.to_pandas()', ...selectPandasSpan(data)],
      };
    }
  }
}

/** Returns the Python statement that lists the files of a partitioned folder. `path` is a Python expression. */
export function listMonthFiles(path: string): string {
  return `months = sorted(Path(${path}).rglob("*.parquet"))`;
}

/** Returns Python statements that select the requested rows. */
function selectPandasSpan(data: DataFile): string[] {
  const span = getDataFileSpan(data);
  if (!span) return [];
  const times = `frame[${quoteForPython(span.timeColumn)}]`;
  return [
    `start, end = pd.Timestamp("${span.start}"), pd.Timestamp("${span.end}")`,
    `frame = frame[(${times} >= start) & (${times} < end)]`,
  ];
}

/** Returns Python statements that convert Excel's dates to instants, in the column named by the Python expression `time`. */
function convertExcelTimes({ timeZone, datesTimeZone = timeZone, hasZoneInHeading }: DataFile, time: string): string[] {
  const zone = quoteForPython(datesTimeZone);
  if (!hasZoneInHeading) return convertDatesToUtc(time, zone);
  return [
    `# The heading of the dates names their zone, as in Hour (SAST); where none does, they are of ${cleanComment(timeZone)}.`,
    '# Where the clocks change they stand there twice: those in UTC leave no doubt.',
    'zones = available_timezones() | {"SAST"}',
    'headings = sorted((str(name) for name in frame.columns), key=lambda name: not name.endswith(" (UTC)"))',
    `heading = next((name for name in headings if name.rpartition(" (")[2].rstrip(")") in zones), ${time})`,
    'named = heading.rpartition(" (")[2].rstrip(")") if " (" in heading else ""',
    `zone = {"": ${zone}, "SAST": "Africa/Johannesburg"}.get(named, named)`,
    `frame = frame.rename(columns={heading: ${time}})`,
    ...convertDatesToUtc(time, 'zone'),
  ];
}

/** Returns Python statements that convert dates of a time zone to instants. `time` and `zone` are Python expressions. */
function convertDatesToUtc(time: string, zone: string): string[] {
  return [
    `if len(frame) and frame[${time}].iloc[0] > frame[${time}].iloc[-1]:  # newest first`,
    '    frame = frame.iloc[::-1]',
    `local = pd.to_datetime(frame[${time}])`,
    'try:',
    '    # Dates in Excel have no offset. The order of the rows distinguishes the two hours when clocks go back.',
    `    instants = local.dt.tz_localize(${zone}, ambiguous="infer")`,
    'except Exception:',
    '    # The order is not that of time, or rows are missing: the first of the two hours is summer time.',
    `    instants = local.dt.tz_localize(${zone}, ambiguous=(~local.duplicated()).to_numpy())`,
    `frame[${time}] = instants.dt.tz_convert("UTC")`,
  ];
}

/** Returns Python statements that read all years of a series as an Arrow table `table`. `path` is a Python expression. */
export function readArchiveTable(path: string): Pick<PandasReader, 'imports' | 'lines'> {
  return {
    imports: ['from pathlib import Path', '', 'import pyarrow as pa', 'import pyarrow.feather as feather'],
    lines: [
      listYearFiles(path),
      'tables = [feather.read_table(year, memory_map=False) for year in years]',
      'table = pa.concat_tables(tables, promote_options="default").unify_dictionaries()',
    ],
  };
}

/** Returns the Python statement that lists the files of a series in the archive. `path` is a Python expression. */
export function listYearFiles(path: string): string {
  return `years = sorted(Path(${path}).glob("*.arrow"))`;
}

/** Returns the Python statement that selects the column to display. `numbers` is an expression for the first numeric one. */
export function selectValueColumn({ valueColumn }: DataFile, numbers: string): string {
  return `value = ${valueColumn === undefined ? numbers : quoteForPython(valueColumn)}`;
}

/** Returns a Python program with pandas: a data frame indexed by UTC instants, and the mean by hour of the day. */
export function formatPandasSnippet(data: DataFile): string {
  const { needs, imports, lines } = createPandasReader(data);
  const index =
    data.timeColumn === undefined ? '' : `frame = frame.set_index(${quoteForPython(data.timeColumn)}).sort_index()\n`;
  const transformationLines = data.transformations ? formatPythonTransformations(data.transformations, 'df') : [];
  const transformedData = transformationLines.length > 0 ? useDuckdbNames(data) : data;
  return `${formatPythonHeader(data, [...needs, ...(transformationLines.length > 0 ? ['duckdb'] : [])], true)}
${imports.join('\n')}

${lines.join('\n')}
${index}${transformationLines.map(line => `${line}\n`).join('')}print(frame)

${formatFirstLook(transformedData)}
`;
}

/** Returns the same data with the column names that DuckDB assigns. */
export function useDuckdbNames(data: DataFile): DataFile & { readonly renamed: PanelTransformations['renamed'] } {
  const { columns = [], transformations, timeColumn, valueColumn } = data;
  const renamed =
    transformations && transformations.sql.length > 0 ? transformations.renamed : new DuckdbNames(columns).renamed;
  const names = new Map(renamed);
  const getName = (column: string | undefined) => (column === undefined ? undefined : (names.get(column) ?? column));
  return { ...data, timeColumn: getName(timeColumn), valueColumn: getName(valueColumn), renamed };
}

/**
 * Returns statements that print the mean by hour of the day in the time zone, for a frame indexed by instants; a summary for days and
 * without instants.
 */
export function formatFirstLook(data: DataFile): string {
  if (data.timeColumn === undefined || data.isDaily || data.transformations?.isResampled)
    return 'print(frame.describe())';
  return `# The mean by hour of the day in ${cleanComment(data.timeZone)}.
${selectValueColumn(data, 'frame.select_dtypes("number").columns[0]')}
hour = frame.index.tz_convert(${quoteForPython(data.timeZone)}).hour.rename("hour")
print(frame[value].groupby(hour).mean())`;
}
