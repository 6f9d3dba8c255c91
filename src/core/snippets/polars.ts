import {
  useDuckdbNames,
  listMonthFiles,
  getDataFileSpan,
  formatPythonHeader,
  selectValueColumn,
  listYearFiles,
  type DataFile,
} from './dataFile.ts';
import { formatPythonTransformations } from './panelTransformations.ts';
import { cleanComment, quoteForPython } from './quote.ts';

/** Returns a Python program with polars: a data frame with UTC instants, and the mean by hour of the day. */
export function formatPolarsSnippet(data: DataFile): string {
  const { needs = ['polars'], imports = [], lines } = createPolarsReader(data);
  const sortLines = data.timeColumn === undefined ? [] : [`frame = frame.sort(${quoteForPython(data.timeColumn)})`];
  const transformationLines = data.transformations ? formatPythonTransformations(data.transformations, 'pl') : [];
  return `${formatPythonHeader(data, [...needs, ...(transformationLines.length > 0 ? ['duckdb', 'pyarrow'] : [])], true)}
${[...imports, 'import polars as pl', 'import polars.selectors as cs'].join('\n')}

${[...lines, ...sortLines, ...transformationLines].join('\n')}
${formatFirstLook(transformationLines.length > 0 ? useDuckdbNames(data) : data)}
`;
}

function formatFirstLook(data: DataFile): string {
  if (data.timeColumn === undefined || data.isDaily || data.transformations?.isResampled)
    return 'print(frame)\nprint(frame.describe())';
  const time = quoteForPython(data.timeColumn);
  const zone = quoteForPython(data.timeZone);
  return `print(frame)

# The mean by hour of the day in ${cleanComment(data.timeZone)}.
${selectValueColumn(data, 'frame.select(cs.numeric()).columns[0]')}
hour = pl.col(${time}).dt.convert_time_zone(${zone}).dt.hour().alias("hour")
print(frame.group_by(hour).agg(pl.col(value).mean().alias("mean")).sort("hour"))`;
}

interface PolarsReader {
  readonly needs?: readonly string[];
  readonly imports?: readonly string[];
  readonly lines: readonly string[];
}

function createPolarsReader(data: DataFile): PolarsReader {
  const path = quoteForPython(data.path);
  // Polars treats these characters in a path as a pattern.
  const isPattern = /[*?[]/.test(data.path) && data.form !== 'hive' && data.form !== 'archive' && data.form !== 'xlsx';
  // Polars maps Arrow files into memory, which would prevent overwriting them.
  const readsBytes = isPattern || data.form === 'arrow';
  const file = readsBytes ? `Path(${path}).read_bytes()` : path;
  const imports = readsBytes ? ['from pathlib import Path', ''] : [];
  const time = data.timeColumn === undefined ? undefined : quoteForPython(data.timeColumn);
  const comments = data.hasComments ? ', comment_prefix="#"' : '';
  const timeConversion = time
    ? [
        `frame = frame.with_columns(pl.col(${time}).str.replace("Z$", "+00:00").str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_zone="UTC"))`,
      ]
    : [];
  const createReader = (call: string, ...furtherLines: string[]): PolarsReader => ({
    imports,
    lines: [`frame = ${call}`, ...furtherLines],
  });
  const createCsvReader = (options: string): PolarsReader =>
    createReader(`pl.read_csv(${file}${options}${comments}, infer_schema_length=None)`, ...timeConversion);
  switch (data.form) {
    case 'csv':
      return createCsvReader(data.dialect === 'semicolon' ? ', separator=";", decimal_comma=True' : '');
    case 'tsv':
      return createCsvReader(', separator="\\t"');
    case 'json':
      return createReader(`pl.read_json(${file}, infer_schema_length=None)`, ...timeConversion);
    case 'ndjson':
      return createReader(`pl.read_ndjson(${file}, infer_schema_length=None)`, ...timeConversion);
    case 'parquet':
      return createReader(`pl.read_parquet(${file})`);
    case 'arrow':
      return createReader(`pl.read_ipc(${file})`);
    case 'xlsx':
      return {
        needs: ['polars', 'fastexcel'],
        lines: [
          `frame = pl.read_excel(${path})`,
          ...(time ? convertDatesToUtc(time, quoteForPython(data.datesTimeZone ?? data.timeZone)) : []),
        ],
      };
    case 'hive':
      return {
        imports: ['from pathlib import Path', ''],
        lines: [listMonthFiles(path), concatFiles('parquet', 'month')],
      };
    case 'archive':
      return {
        imports: [...(getDataFileSpan(data) ? ['from datetime import datetime'] : []), 'from pathlib import Path', ''],
        lines: [listYearFiles(path), concatFiles('ipc', 'year'), ...selectSpan(data)],
      };
  }
}

/** Returns the Python statement that concatenates files, which need not have the same columns. */
function concatFiles(form: 'ipc' | 'parquet', file: 'month' | 'year'): string {
  return `frame = pl.concat([pl.read_${form}(${file}.read_bytes()) for ${file} in ${file}s], how="diagonal_relaxed")`;
}

/** Returns Python statements that select the requested rows. */
function selectSpan(data: DataFile): string[] {
  const span = getDataFileSpan(data);
  if (!span) return [];
  return [
    `start, end = datetime.fromisoformat("${span.start}"), datetime.fromisoformat("${span.end}")`,
    `frame = frame.filter(pl.col(${quoteForPython(span.timeColumn)}).is_between(start, end, closed="left"))`,
  ];
}

/** Returns Python statements that convert Excel's dates to instants. `time` and `zone` are Python expressions. */
function convertDatesToUtc(time: string, zone: string): string[] {
  return [
    '# Dates in Excel have no offset. When clocks go back, the earlier of the two rows of an hour is summer time.',
    `if frame.height and frame[${time}][0] > frame[${time}][-1]:  # newest first`,
    '    frame = frame.reverse()',
    `hours = pl.when(pl.col(${time}).is_first_distinct()).then(pl.lit("earliest")).otherwise(pl.lit("latest"))`,
    `instant = pl.col(${time}).dt.replace_time_zone(${zone}, ambiguous=hours).dt.convert_time_zone("UTC")`,
    'frame = frame.with_columns(instant)',
  ];
}
