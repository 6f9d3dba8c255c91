import { delimitedRecords } from './records.ts';
import { countColumns } from './tableLayout.ts';

/** Of two that fit equally well the first. */
const separators = ['\t', ';', ',', '|'] as const;
/** Characters at the beginning of the text that are looked at. */
const sampleLength = 1_000_000;

/**
 * The separator that splits the heading, and with which most columns are of numbers or times; of two that fit equally well the first. A
 * single column has none, though it may have commas in its numbers.
 */
export function findSeparator(text: string): string {
  const head = text.slice(0, sampleLength);
  // The last line may be cut off.
  const sample = head.length < text.length ? head.slice(0, head.lastIndexOf('\n') + 1) || head : head;
  const found = separators
    .filter(mark => head.includes(mark))
    .map(mark => scoreOf(mark, sample))
    .filter(({ named }) => named > 1);
  const [best] = found.sort((a, b) => b.fit - a.fit || b.typed - a.typed || b.named - a.named);
  return best?.mark ?? ';';
}

/** How well a separator fits: with another, quotation marks are out of place, and no line is a heading. */
function scoreOf(mark: string, sample: string) {
  const records = delimitedRecords(sample, mark);
  const { hasHeading, named, typed } = countColumns(records);
  return { mark, named, typed, fit: (records.notes.length === 0 ? 2 : 0) + (hasHeading ? 1 : 0) };
}
