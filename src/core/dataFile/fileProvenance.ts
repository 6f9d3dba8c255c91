import * as v from 'valibot';
import { parsePanelAnalysis } from '../analysis/analysisSchema.ts';
import { isRecord, parseDisplay, createSerializedView, type SerializedView } from '../../shared/view.ts';
import type { FileProvenance } from './fileTable.ts';

const shortText = v.pipe(v.string(), v.maxLength(10_000));
const optionalText = v.exactOptional(shortText);
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const optionalCount = v.exactOptional(wholeNumber);

/** The schema of an `ExportProvenance`. An invalid part is dropped and the rest is read. */
const provenanceSchema = v.object({
  source: v.literal('Grid Data Inspector'),
  ...v.entriesFromList(
    ['connection', 'service', 'data', 'dataset', 'range', 'start', 'end', 'interval', 'timeZone', 'days', 'fetchedAt'],
    v.fallback(optionalText, undefined as never),
  ),
  ...v.entriesFromList(
    ['resampled', 'bins', 'events', 'scorecard', 'comparedWith'],
    v.fallback(optionalText, undefined as never),
  ),
  view: v.exactOptional(v.pipe(v.unknown(), v.transform(parseViewParts))),
  rows: v.fallback(optionalCount, undefined as never),
  rowsOfResult: v.fallback(optionalCount, undefined as never),
  coverage: v.fallback(
    v.exactOptional(
      v.object({
        ...v.entriesFromList(
          ['expected', 'present', 'missing', 'notPublished', 'failed', 'notRequested', 'late'],
          v.optional(wholeNumber, 0),
        ),
        missingRanges: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(1_000)),
        moreMissingRanges: optionalCount,
      }),
    ),
    undefined as never,
  ),
});

/** Parses the valid parts of a view; undefined if there are none. */
function parseViewParts(value: unknown): SerializedView | undefined {
  if (!isRecord(value)) return undefined;
  return createSerializedView({
    analysis: parsePanelAnalysis(value['analysis']),
    display: parseDisplay(value['display']),
  });
}

/** Parses the provenance in a file's metadata or in its `<file>.meta.json`; undefined for any other text. */
export function parseProvenance(json: string | undefined): FileProvenance | undefined {
  if (json === undefined || json.length > 1_000_000) return undefined;
  try {
    return validateProvenance(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Parses the provenance in lines of "name: value", as `formatProvenanceLines` writes them. */
export function parseProvenanceLines(lines: readonly string[]): FileProvenance | undefined {
  const facts = new Map(
    lines.flatMap(line => {
      const colon = line.indexOf(': ');
      return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 2)] as const];
    }),
  );
  const numericFact = (name: string): number | undefined => {
    const value = facts.get(name);
    return value === undefined ? undefined : Number(value);
  };
  const counts = [...facts].filter(([name]) => /^steps (?!of )/.test(name));
  const [, listedRanges = '', more] = /^(.*?)(?: and (\d+) more)?$/.exec(facts.get('missing') ?? '') ?? [];
  const coverage = {
    ...Object.fromEntries(counts.map(([name, value]) => [name.slice(6), Number(value)])),
    missingRanges: listedRanges.split(' ').filter(part => part !== ''),
    ...(more !== undefined && { moreMissingRanges: Number(more) }),
  };
  return validateProvenance({
    ...Object.fromEntries(facts),
    rows: numericFact('rows'),
    rowsOfResult: numericFact('rowsOfResult'),
    ...(counts.length > 0 && { coverage }),
  });
}

function validateProvenance(value: unknown): FileProvenance | undefined {
  const parsed = v.safeParse(provenanceSchema, value);
  if (!parsed.success) return undefined;
  const entries = Object.entries(parsed.output).filter(([, part]: [string, unknown]) => part !== undefined);
  return Object.fromEntries(entries) as unknown as FileProvenance;
}
