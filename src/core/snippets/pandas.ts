import { pandasReading, pythonHead, valueLine, type DataFile } from './dataFile.ts';
import { commentText, pythonText } from './quote.ts';

/** Python with pandas: a data frame indexed by UTC instants, and the mean by hour of the day. */
export function pandasSnippet(data: DataFile): string {
  const { needs, imports, lines } = pandasReading(data);
  const index =
    data.timeColumn === undefined ? '' : `frame = frame.set_index(${pythonText(data.timeColumn)}).sort_index()\n`;
  return `${pythonHead(data, needs)}
${imports.join('\n')}

${lines.join('\n')}
${index}print(frame)

${firstLook(data)}
`;
}

/** The mean by hour of the day in the zone, of a frame indexed by instants; of one without them what its columns hold. */
export function firstLook(data: DataFile): string {
  if (data.timeColumn === undefined) return 'print(frame.describe())';
  return `# The mean by hour of the day in ${commentText(data.timeZone)}.
${valueLine(data, 'frame.select_dtypes("number").columns[0]')}
hour = frame.index.tz_convert(${pythonText(data.timeZone)}).hour.rename("hour")
print(frame[value].groupby(hour).mean())`;
}
