import { inDuckdb, monthsBelow, snippetSpan, pythonHead, valueLine, yearFilesIn, type DataFile } from './dataFile.ts';
import { pythonSteps } from './panelSteps.ts';
import { commentText, pythonText } from './quote.ts';

/** Returns a Python program with polars: a data frame with UTC instants, and the mean by hour of the day. */
export function polarsSnippet(data: DataFile): string {
  const { needs = ['polars'], imports = [], lines } = polarsReading(data);
  const inOrder = data.timeColumn === undefined ? [] : [`frame = frame.sort(${pythonText(data.timeColumn)})`];
  const steps = data.steps ? pythonSteps(data.steps, 'pl') : [];
  return `${pythonHead(data, [...needs, ...(steps.length > 0 ? ['duckdb', 'pyarrow'] : [])], true)}
${[...imports, 'import polars as pl', 'import polars.selectors as cs'].join('\n')}

${[...lines, ...inOrder, ...steps].join('\n')}
${firstLook(steps.length > 0 ? inDuckdb(data) : data)}
`;
}

function firstLook(data: DataFile): string {
  if (data.timeColumn === undefined || data.isDaily || data.steps?.isResampled)
    return 'print(frame)\nprint(frame.describe())';
  const [time, zone] = [pythonText(data.timeColumn), pythonText(data.timeZone)];
  return `print(frame)

# The mean by hour of the day in ${commentText(data.timeZone)}.
${valueLine(data, 'frame.select(cs.numeric()).columns[0]')}
hour = pl.col(${time}).dt.convert_time_zone(${zone}).dt.hour().alias("hour")
print(frame.group_by(hour).agg(pl.col(value).mean().alias("mean")).sort("hour"))`;
}

interface PolarsReading {
  readonly needs?: readonly string[];
  readonly imports?: readonly string[];
  readonly lines: readonly string[];
}

function polarsReading(data: DataFile): PolarsReading {
  const path = pythonText(data.path);
  // Polars treats these characters in a path as a pattern.
  const isPattern = /[*?[]/.test(data.path) && data.form !== 'hive' && data.form !== 'archive' && data.form !== 'xlsx';
  // Polars maps Arrow files into memory, which would prevent overwriting them.
  const isRead = isPattern || data.form === 'arrow';
  const file = isRead ? `Path(${path}).read_bytes()` : path;
  const imports = isRead ? ['from pathlib import Path', ''] : [];
  const time = data.timeColumn === undefined ? undefined : pythonText(data.timeColumn);
  const comments = data.hasComments ? ', comment_prefix="#"' : '';
  const iso = time
    ? [
        `frame = frame.with_columns(pl.col(${time}).str.replace("Z$", "+00:00").str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_zone="UTC"))`,
      ]
    : [];
  const read = (call: string, ...after: string[]): PolarsReading => ({ imports, lines: [`frame = ${call}`, ...after] });
  const csv = (more: string): PolarsReading =>
    read(`pl.read_csv(${file}${more}${comments}, infer_schema_length=None)`, ...iso);
  switch (data.form) {
    case 'csv':
      return csv(data.dialect === 'semicolon' ? ', separator=";", decimal_comma=True' : '');
    case 'tsv':
      return csv(', separator="\\t"');
    case 'json':
      return read(`pl.read_json(${file}, infer_schema_length=None)`, ...iso);
    case 'ndjson':
      return read(`pl.read_ndjson(${file}, infer_schema_length=None)`, ...iso);
    case 'parquet':
      return read(`pl.read_parquet(${file})`);
    case 'arrow':
      return read(`pl.read_ipc(${file})`);
    case 'xlsx':
      return {
        needs: ['polars', 'fastexcel'],
        lines: [
          `frame = pl.read_excel(${path})`,
          ...(time ? datesInUtc(time, pythonText(data.zoneOfDates ?? data.timeZone)) : []),
        ],
      };
    case 'hive':
      return { imports: ['from pathlib import Path', ''], lines: [monthsBelow(path), concatFiles('parquet', 'month')] };
    case 'archive':
      return {
        imports: [...(snippetSpan(data) ? ['from datetime import datetime'] : []), 'from pathlib import Path', ''],
        lines: [yearFilesIn(path), concatFiles('ipc', 'year'), ...keptToSpan(data)],
      };
  }
}

/** Returns the Python statement that concatenates files, which need not have the same columns. */
function concatFiles(form: 'ipc' | 'parquet', file: 'month' | 'year'): string {
  return `frame = pl.concat([pl.read_${form}(${file}.read_bytes()) for ${file} in ${file}s], how="diagonal_relaxed")`;
}

/** Returns Python statements that select the requested rows. */
function keptToSpan(data: DataFile): string[] {
  const span = snippetSpan(data);
  if (!span) return [];
  return [
    `start, end = datetime.fromisoformat("${span.start}"), datetime.fromisoformat("${span.end}")`,
    `frame = frame.filter(pl.col(${pythonText(span.timeColumn)}).is_between(start, end, closed="left"))`,
  ];
}

/** Returns Python statements that convert Excel's dates to instants. `time` and `zone` are Python expressions. */
function datesInUtc(time: string, zone: string): string[] {
  return [
    '# Dates in Excel have no offset: of the hour that comes twice, when clocks go back, the earlier row is summer time.',
    `if frame.height and frame[${time}][0] > frame[${time}][-1]:  # newest first`,
    '    frame = frame.reverse()',
    `hours = pl.when(pl.col(${time}).is_first_distinct()).then(pl.lit("earliest")).otherwise(pl.lit("latest"))`,
    `instant = pl.col(${time}).dt.replace_time_zone(${zone}, ambiguous=hours).dt.convert_time_zone("UTC")`,
    'frame = frame.with_columns(instant)',
  ];
}
