import { createPandasReader, formatPythonHeader, selectValueColumn, type DataFile, type DataForm } from './dataFile.ts';
import { cleanComment, quoteForPython } from './quote.ts';

/**
 * Returns a PySpark program: a data frame with UTC instants, and the mean by hour of the day. Forms that Spark cannot read are read by
 * pandas.
 */
export function formatSparkSnippet(data: DataFile): string {
  const sparkLines = createSparkReader(data);
  const pandasReader = sparkLines ? undefined : createPandasReader(data);
  const lines = sparkLines ?? [...(pandasReader?.lines ?? []), 'frame = spark.createDataFrame(frame)'];
  return `${formatPythonHeader(data, ['pyspark', ...(pandasReader?.needs ?? [])])}
${[...(pandasReader?.imports ?? []), 'from pyspark.sql import SparkSession, functions as F', 'from pyspark.sql.types import NumericType'].join('\n')}

spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")
spark.conf.set("spark.sql.caseSensitive", "true")

${lines.join('\n')}
${formatFirstLook(data)}
`;
}

function formatFirstLook(data: DataFile): string {
  if (data.timeColumn === undefined || data.isDaily) return 'frame.show()\nframe.summary().show()';
  const time = quoteForPython(data.timeColumn);
  return `frame.orderBy(${time}).show()

# The mean by hour of the day in ${cleanComment(data.timeZone)}.
${selectValueColumn(data, 'next(field.name for field in frame.schema if isinstance(field.dataType, NumericType))')}
hour = F.hour(F.from_utc_timestamp(frame[${time}], ${quoteForPython(data.timeZone)})).alias("hour")
frame.groupBy(hour).agg(F.avg(frame[value]).alias("mean")).orderBy("hour").show(24)`;
}

/** Returns statements for the forms that Spark can read. Spark does not support decimal commas. */
function createSparkReader({ path, form, dialect, hasComments, timeColumn }: DataFile): string[] | undefined {
  const file = quoteForPython(escapeSparkPath(path));
  const time = timeColumn === undefined ? undefined : quoteForPython(timeColumn);
  const instants = time ? [`frame = frame.withColumn(${time}, F.to_timestamp(${time}))`] : [];
  const comments = hasComments ? ', comment="#"' : '';
  const readDelimited = (separator: string): string[] => [
    `frame = spark.read.csv(${file}, header=True, inferSchema=True${separator}, multiLine=True, escape='"'${comments})`,
    ...instants,
  ];
  const readers: Readonly<Partial<Record<DataForm, string[]>>> = {
    tsv: readDelimited(', sep="\\t"'),
    ...(dialect !== 'semicolon' && { csv: readDelimited('') }),
    json: [`frame = spark.read.json(${file}, multiLine=True)`, ...instants],
    ndjson: [`frame = spark.read.json(${file})`, ...instants],
    parquet: [`frame = spark.read.parquet(${file})`],
    hive: [`frame = spark.read.option("mergeSchema", "true").parquet(${file})`],
  };
  return readers[form];
}

/**
 * Escapes Spark's pattern characters in a path. On Windows, where a backslash separates folders, they become ?, which matches any
 * character.
 */
function escapeSparkPath(path: string): string {
  const isWindows = /^([a-z]:[\\/]|\\\\)/i.test(path);
  return isWindows ? path.replaceAll('\\', '/').replace(/[[\]{}]/g, '?') : path.replace(/[\\*?[\]{}]/g, '\\$&');
}
