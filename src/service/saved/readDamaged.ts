import { parse, type ParseError } from 'jsonc-parser';
import { decodeRecords, type DecodedRecords } from '../../core/saved/records/recordCodec.ts';
import type { StoreProblem } from './storeProblem.ts';

/** What could be read of a store, and what is to be said of the rest. */
export interface ReadStore extends Pick<DecodedRecords, 'records' | 'isNewer'> {
  readonly problems: readonly StoreProblem[];
}

/** Reads what can be read of a file's text, or of a value in the state. What is damaged is first kept aside as it is. */
export async function readDamaged(
  stored: unknown,
  where: 'file' | 'state',
  keepAside: () => Promise<string>,
): Promise<ReadStore> {
  const { value, isWhole } = where === 'file' ? parseTolerantly(stored) : { value: stored, isWhole: true };
  const { records, unreadable, isNewer } = decodeRecords(value);
  const problems: StoreProblem[] = [];
  if (isNewer) problems.push({ problem: 'newerVersion', where });
  else if (unreadable > 0 || !isWhole) {
    const count = Number.isFinite(unreadable) ? Math.max(1, unreadable) : 'all';
    problems.push({ problem: 'damaged', where, unreadable: count, keptAs: await keepAside() });
  }
  return { records, isNewer, problems };
}

/** Of a text that breaks off, what comes before that. */
function parseTolerantly(text: unknown): { value: unknown; isWhole: boolean } {
  if (typeof text !== 'string') return { value: undefined, isWhole: true };
  try {
    return { value: JSON.parse(text), isWhole: true };
  } catch {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors);
    // An empty text is no store at all, and nothing can be said of it.
    return { value: value ?? {}, isWhole: false };
  }
}
