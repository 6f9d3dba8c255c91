import { aboutData, valueLine, type DataFile } from './dataFile.ts';
import { commentText, pythonText } from './quote.ts';

/** Python with polars: a data frame with UTC instants, and the mean by hour of the day. */
export function polarsSnippet(data: DataFile): string {
  const time = pythonText(data.timeColumn);
  const zone = pythonText(data.timeZone);
  const { needs = ['polars'], imports = [], lines } = polarsReading(data);
  return `# ${aboutData(data)}
# Needs: pip install ${needs.join(' ')}
${[...imports, 'import polars as pl', 'import polars.selectors as cs'].join('\n')}

${lines.join('\n')}
frame = frame.sort(${time})
print(frame)

# The mean by hour of the day in ${commentText(data.timeZone)}.
${valueLine(data, 'frame.select(cs.numeric()).columns[0]')}
hour = pl.col(${time}).dt.convert_time_zone(${zone}).dt.hour().alias("hour")
print(frame.group_by(hour).agg(pl.col(value).mean()).sort("hour"))
`;
}

interface PolarsReading {
  readonly needs?: readonly string[];
  readonly imports?: readonly string[];
  readonly lines: readonly string[];
}

function polarsReading(data: DataFile): PolarsReading {
  const path = pythonText(data.path);
  const time = pythonText(data.timeColumn);
  const comments = data.hasComments ? ', comment_prefix="#"' : '';
  const iso = `frame = frame.with_columns(pl.col(${time}).str.replace("Z$", "+00:00").str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", time_zone="UTC"))`;
  const csv = (more: string): PolarsReading => ({
    lines: [`frame = pl.read_csv(${path}${more}${comments}, infer_schema_length=None)`, iso],
  });
  switch (data.form) {
    case 'csv':
      return csv(data.dialect === 'semicolon' ? ', separator=";", decimal_comma=True' : '');
    case 'tsv':
      return csv(', separator="\\t"');
    case 'json':
      return { lines: [`frame = pl.read_json(${path}, infer_schema_length=None)`, iso] };
    case 'ndjson':
      return { lines: [`frame = pl.read_ndjson(${path}, infer_schema_length=None)`, iso] };
    case 'parquet':
      return { lines: [`frame = pl.read_parquet(${path})`] };
    case 'arrow':
      return { lines: [`frame = pl.read_ipc(${path}, memory_map=False)`] };
    case 'xlsx':
      return {
        needs: ['polars', 'fastexcel'],
        lines: [
          `frame = pl.read_excel(${path})`,
          `frame = frame.with_columns(pl.col(${time}).dt.replace_time_zone(${pythonText(data.timeZone)}, ambiguous="null").dt.convert_time_zone("UTC"))`,
        ],
      };
    case 'hive':
      return {
        lines: [`frame = pl.scan_parquet(${path}, hive_partitioning=True, missing_columns="insert").collect()`],
      };
    case 'archive':
      return {
        imports: ['from pathlib import Path', ''],
        lines: [
          `months = sorted(Path(${path}).glob("*.arrow"))`,
          'frame = pl.concat([pl.read_ipc(month, memory_map=False) for month in months], how="diagonal_relaxed")',
        ],
      };
  }
}
