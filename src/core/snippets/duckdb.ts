import {
  describeData,
  readArchiveTable,
  useDuckdbNames,
  getDataFileSpan,
  formatPythonHeader,
  type DataFile,
} from './dataFile.ts';
import { describeRenamedColumn } from './duckdbNames.ts';
import { formatPythonNames } from './panelTransformations.ts';
import { cleanComment, quoteForPython, quoteSqlName, quoteForSql, escapeDuckdbPath } from './quote.ts';

type NamedData = ReturnType<typeof useDuckdbNames>;

/** Whether the data is in Arrow format. DuckDB's SQL cannot read its dictionary-encoded texts, so Python must read them. */
export function needsPython({ form }: Pick<DataFile, 'form'>): boolean {
  return form === 'arrow' || form === 'archive';
}

/** Returns SQL for DuckDB that creates a table with UTC instants and the mean by hour of the day. For Arrow files, returns Python with DuckDB. */
export function formatDuckdbSnippet(data: DataFile): string {
  const named = useDuckdbNames(data);
  return needsPython(data) ? formatPythonProgram(data, named) : formatSql(data, named);
}

/** `named` is the data with the column names that DuckDB assigns. */
function formatSql(data: DataFile, named: NamedData): string {
  const { form, timeColumn } = named;
  const kind = form === 'hive' ? 'VIEW' : 'TABLE';
  const order = timeColumn === undefined ? '' : ` ORDER BY ${quoteSqlName(timeColumn)}`;
  return `${[...describeData(data), ...named.renamed.map(describeRenamedColumn).map(cleanComment)].map(line => `-- ${line}`).join('\n')}
${form === 'xlsx' ? 'INSTALL excel;\nLOAD excel;\n' : ''}SET TimeZone = 'UTC';

CREATE OR REPLACE TEMP ${kind} ${getTableName(data)} AS
${selectRows(named)};
FROM ${getTableName(data)}${order} LIMIT 24;

${formatFirstLook(named)}
`;
}

/** Returns SQL for the mean by hour of the day, or for a summary if the rows have no instants, are days or are resampled. */
function formatFirstLook(data: DataFile): string {
  const { form, timeColumn, timeZone, valueColumn, isDaily } = data;
  if (timeColumn === undefined || isDaily || data.transformations?.isResampled)
    return `SUMMARIZE ${getTableName(data)};`;
  const time = quoteSqlName(timeColumn);
  // A folder may contain several series.
  const series = form === 'hive' ? 'dataset, "interval", ' : '';
  const value =
    valueColumn === undefined
      ? ''
      : `avg(${quoteSqlName(valueColumn)}) AS mean, count(${quoteSqlName(valueColumn)}) AS steps`;
  return `-- The mean by hour of the day in ${cleanComment(timeZone)}.
SELECT ${series}hour(timezone(${quoteForSql(timeZone)}, ${time})) AS hour_of_day, ${value || 'count(*) AS steps'}
FROM ${getTableName(data)} GROUP BY ALL ORDER BY ALL;`;
}

/** Returns the name of the table, or of the view for a folder, which may be larger than the memory. Both need different names in DuckDB. */
function getTableName({ form }: DataFile): string {
  return form === 'hive' ? 'grid_files' : 'grid';
}

/** Returns SQL that selects the rows with their times as UTC instants. The dates of an Excel file are in the time zone of the export. */
function selectRows(data: DataFile): string {
  const { form, timeColumn } = data;
  if (form === 'hive' || timeColumn === undefined) return `FROM ${readSource(data)}`;
  const time = quoteSqlName(timeColumn);
  if (form !== 'xlsx') return `SELECT * REPLACE (${time}::TIMESTAMPTZ AS ${time}) FROM ${readSource(data)}`;
  const zone = quoteForSql(data.datesTimeZone ?? data.timeZone);
  return `-- Dates in Excel have no offset: of the hour that comes twice, when clocks go back, the row that is nearer to the oldest is summer time.
WITH file AS MATERIALIZED (FROM ${readSource(data)})
SELECT file.* REPLACE (CASE
    WHEN row_number() OVER (PARTITION BY file.${time} ORDER BY place.row) = 1
      AND timezone(${zone}, timezone(${zone}, file.${time}::TIMESTAMP) - INTERVAL 1 HOUR) = file.${time}::TIMESTAMP
    THEN timezone(${zone}, file.${time}::TIMESTAMP) - INTERVAL 1 HOUR
    ELSE timezone(${zone}, file.${time}::TIMESTAMP)
  END AS ${time})
FROM file POSITIONAL JOIN
  (SELECT row_number() OVER () * if(first_value(${time}) OVER () > last_value(${time}) OVER (), -1, 1) AS row FROM file) AS place`;
}

function readSource({ path, form, timeColumn, dialect, hasComments }: DataFile): string {
  const file = quoteForSql(escapeDuckdbPath(path));
  const comments = hasComments ? ", comment = '#'" : '';
  const times = timeColumn === undefined ? '' : `, types = {${quoteForSql(timeColumn)}: 'TIMESTAMPTZ'}`;
  switch (form) {
    case 'csv': {
      const marks = dialect === 'semicolon' ? ", delim = ';', decimal_separator = ','" : ", delim = ','";
      return `read_csv(${file}, header = true${marks}${comments}${times})`;
    }
    case 'tsv':
      return `read_csv(${file}, header = true, delim = '\\t'${comments}${times})`;
    case 'json':
      return `read_json(${file}, format = 'array')`;
    case 'ndjson':
      return `read_json(${file}, format = 'newline_delimited')`;
    case 'xlsx':
      return `read_xlsx(${quoteForSql(path)}, header = true)`;
    case 'hive':
      return `read_parquet(${quoteForSql(`${escapeDuckdbPath(path)}/**/*.parquet`)}, hive_partitioning = true, union_by_name = true)`;
    case 'parquet':
    case 'arrow':
    case 'archive':
      return `read_parquet(${file})`;
  }
}

/** Returns the condition that selects the requested rows. */
function formatRangeCondition(data: DataFile): string {
  const span = getDataFileSpan(data);
  if (!span) return '';
  const time = quoteSqlName(span.timeColumn);
  return `\nWHERE ${time} >= TIMESTAMPTZ '${span.start}' AND ${time} < TIMESTAMPTZ '${span.end}'`;
}

function formatPythonProgram(data: DataFile, named: NamedData): string {
  const path = quoteForPython(data.path);
  const { imports, lines } =
    data.form === 'archive'
      ? readArchiveTable(path)
      : { imports: ['import pyarrow.feather as feather'], lines: [`table = feather.read_table(${path})`] };
  const query = `SET TimeZone = 'UTC';
CREATE OR REPLACE TEMP TABLE grid AS FROM arrow_table${formatRangeCondition(named)};
${(data.transformations?.sql ?? []).map(text => `${text};\n`).join('')}
${formatFirstLook(named)}`;
  const { renamed } = named;
  const notes = data.transformations?.notes.length ? [] : renamed.map(describeRenamedColumn).map(cleanComment);
  return `${[formatPythonHeader(data, ['duckdb', 'pyarrow'], true), ...notes.map(line => `# ${line}`)].join('\n')}
${['import duckdb', ...imports].join('\n')}

${lines.join('\n')}
${renamed.length > 0 ? `names = ${formatPythonNames(renamed)}\ntable = table.rename_columns([names.get(name, name) for name in table.column_names])\n` : ''}
database = duckdb.connect()
database.register("arrow_table", table)
result = database.execute(
${query
  .split('\n')
  .map(line => `    ${quoteForPython(`${line}\n`)}`)
  .join('\n')}
)
for row in result.fetchall():
    print(row)
`;
}
