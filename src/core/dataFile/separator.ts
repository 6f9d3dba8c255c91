import { readDelimitedRecords } from './records.ts';
import { countColumns } from './tableLayout.ts';

/** The possible separators in order of preference. */
const separators = ['\t', ';', ',', '|'] as const;
/** The number of characters from the beginning of the text that are examined. */
const sampleLength = 1_000_000;

/**
 * Finds the separator that splits the heading and yields the most columns of numbers or times. Returns ';' for a single column, which has no
 * separator. Its numbers may contain commas.
 */
export function findSeparator(text: string): string {
  const head = text.slice(0, sampleLength);
  // The last line may be cut off.
  const sample = head.length < text.length ? head.slice(0, head.lastIndexOf('\n') + 1) || head : head;
  const candidates = separators
    .filter(separator => head.includes(separator))
    .map(separator => scoreSeparator(separator, sample))
    .filter(({ namedCount }) => namedCount > 1);
  const [best] = candidates.sort(
    (a, b) => b.score - a.score || b.typedCount - a.typedCount || b.namedCount - a.namedCount,
  );
  return best?.separator ?? ';';
}

/** Rates a separator. With a wrong separator, quotation marks are often in the middle of a cell, and no line is a heading. */
function scoreSeparator(separator: string, sample: string) {
  const records = readDelimitedRecords(sample, separator);
  const { hasHeading, namedCount, typedKinds: typedCount } = countColumns(records);
  return {
    separator,
    namedCount,
    typedCount,
    score: (records.notes.length === 0 ? 2 : 0) + (hasHeading ? 1 : 0),
  };
}
