import { aboutData, archiveTable, type DataFile } from './dataFile.ts';
import { commentText, pythonText, sqlName, sqlText } from './quote.ts';

/** What is needed where data is Arrow: DuckDB alone reads none with texts of a dictionary in them. */
export function needsPython({ form }: Pick<DataFile, 'form'>): boolean {
  return form === 'arrow' || form === 'archive';
}

/** SQL for DuckDB: a table with UTC instants, and the mean by hour of the day. Of Arrow files through DuckDB's Python. */
export function duckdbSnippet(data: DataFile): string {
  return needsPython(data) ? throughPython(data) : sql(data);
}

function sql(data: DataFile): string {
  const { form } = data;
  const time = sqlName(data.timeColumn);
  const create =
    form === 'hive'
      ? `CREATE OR REPLACE TEMP VIEW grid_files AS
FROM ${source(data)};`
      : `CREATE OR REPLACE TEMP TABLE grid AS
SELECT * REPLACE (${instant(data)} AS ${time}) FROM ${source(data)};`;
  return `-- ${aboutData(data)}
${form === 'xlsx' ? 'INSTALL excel;\nLOAD excel;\n' : ''}SET TimeZone = 'UTC';

${create}
FROM ${tableName(data)} ORDER BY ${time} LIMIT 24;

${hourMean(data)}
`;
}

function hourMean(data: DataFile): string {
  const { form, timeColumn, timeZone, valueColumn } = data;
  const time = sqlName(timeColumn);
  // Of a folder with several series each has its own means.
  const series = form === 'hive' ? 'dataset, "interval", ' : '';
  const value =
    valueColumn === undefined ? '' : `avg(${sqlName(valueColumn)}) AS mean, count(${sqlName(valueColumn)}) AS steps`;
  return `-- The mean by hour of the day in ${commentText(timeZone)}.
SELECT ${series}hour(timezone(${sqlText(timeZone)}, ${time})) AS hour_of_day, ${value || 'count(*) AS steps'}
FROM ${tableName(data)} GROUP BY ALL ORDER BY ALL;`;
}

/** A folder may be larger than the memory: it is read anew by each query. A view takes no table's place. */
function tableName({ form }: DataFile): string {
  return form === 'hive' ? 'grid_files' : 'grid';
}

/** Texts and instants without a zone become instants in UTC; dates of an Excel file are of the zone. */
function instant({ form, timeColumn, timeZone }: DataFile): string {
  const time = sqlName(timeColumn);
  return form === 'xlsx' ? `timezone(${sqlText(timeZone)}, ${time}::TIMESTAMP)` : `${time}::TIMESTAMPTZ`;
}

function source({ path, form, timeColumn, dialect, hasComments }: DataFile): string {
  const file = sqlText(path);
  const comments = hasComments ? ", comment = '#'" : '';
  const times = `, types = {${sqlText(timeColumn)}: 'TIMESTAMPTZ'}`;
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
      return `read_xlsx(${file}, header = true)`;
    case 'hive':
      return `read_parquet(${sqlText(`${path}/**/*.parquet`)}, hive_partitioning = true, union_by_name = true)`;
    case 'parquet':
    case 'arrow':
    case 'archive':
      return `read_parquet(${file})`;
  }
}

function throughPython(data: DataFile): string {
  const path = pythonText(data.path);
  const { imports, lines } =
    data.form === 'archive'
      ? archiveTable(path)
      : { imports: ['import pyarrow.feather as feather'], lines: [`table = feather.read_table(${path})`] };
  const query = `SET TimeZone = 'UTC';
CREATE OR REPLACE TEMP TABLE grid AS FROM arrow_table;

${hourMean(data)}`;
  return `# ${aboutData(data)}
# Needs: pip install duckdb pyarrow
${['import duckdb', ...imports].join('\n')}

${lines.join('\n')}

database = duckdb.connect()
database.register("arrow_table", table)
result = database.execute(
${query
  .split('\n')
  .map(line => `    ${pythonText(`${line}\n`)}`)
  .join('\n')}
)
for row in result.fetchall():
    print(row)
`;
}
