import { delimitedRecords } from './records.ts';
import { countColumns } from './tableLayout.ts';

/** Of two that fit equally well the first. */
const separators = ['\t', ';', ',', '|'] as const;
/** Characters at the beginning of the text that are looked at. */
const sampleLength = 1_000_000;

/**
 * The separator that splits the heading, and with which most columns are of numbers or times; of two that fit equally well the first. A
 * single column has none, and may have commas in its numbers.
 */
export function findSeparator(text: string): string {
  const head = text.slice(0, sampleLength);
  // The last line may be cut off.
  const sample = head.length < text.length ? head.slice(0, head.lastIndexOf('\n') + 1) || head : head;
  const found = separators
    .filter(mark => head.includes(mark))
    .map(mark => ({ mark, ...countColumns(delimitedRecords(sample, mark)) }))
    .filter(({ named }) => named > 1);
  const [best] = found.sort(
    (a, b) => Number(b.hasHeading) - Number(a.hasHeading) || b.typed - a.typed || b.named - a.named,
  );
  return best?.mark ?? ';';
}
