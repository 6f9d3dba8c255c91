import * as v from 'valibot';
import { panelAnalysisOf } from '../analysis/analysisSchema.ts';
import { isRecord, savedDisplayOf, viewOfParts, type SavedView } from '../../shared/savedView.ts';
import type { FileProvenance } from './fileTable.ts';

const text = v.pipe(v.string(), v.maxLength(10_000));
const some = v.exactOptional(text);
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const count = v.exactOptional(whole);

/** The schema of an `ExportProvenance`. An invalid part is dropped and the rest is read. */
const form = v.object({
  source: v.literal('Grid Data Inspector'),
  ...v.entriesFromList(
    ['connection', 'service', 'data', 'dataset', 'range', 'start', 'end', 'interval', 'timeZone', 'days', 'fetchedAt'],
    v.fallback(some, undefined as never),
  ),
  ...v.entriesFromList(
    ['resampled', 'bins', 'events', 'scorecard', 'comparedWith'],
    v.fallback(some, undefined as never),
  ),
  view: v.exactOptional(v.pipe(v.unknown(), v.transform(viewOf))),
  rows: v.fallback(count, undefined as never),
  rowsOfResult: v.fallback(count, undefined as never),
  coverage: v.fallback(
    v.exactOptional(
      v.object({
        ...v.entriesFromList(
          ['expected', 'present', 'missing', 'notPublished', 'failed', 'notAsked', 'late'],
          v.optional(whole, 0),
        ),
        missingStretches: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(1_000)),
        moreMissingStretches: count,
      }),
    ),
    undefined as never,
  ),
});

/** Parses the valid parts of a view; undefined if there are none. */
function viewOf(value: unknown): SavedView | undefined {
  if (!isRecord(value)) return undefined;
  return viewOfParts({ analysis: panelAnalysisOf(value['analysis']), display: savedDisplayOf(value['display']) });
}

/** Parses the provenance in a file's metadata or in its `<file>.meta.json`; undefined for any other text. */
export function readProvenance(json: string | undefined): FileProvenance | undefined {
  if (json === undefined || json.length > 1_000_000) return undefined;
  try {
    return provenanceOf(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Parses the provenance in lines of "name: value", as `provenanceLines` writes them. */
export function provenanceOfLines(lines: readonly string[]): FileProvenance | undefined {
  const facts = new Map(
    lines.flatMap(line => {
      const colon = line.indexOf(': ');
      return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 2)] as const];
    }),
  );
  const number = (name: string): number | undefined => {
    const value = facts.get(name);
    return value === undefined ? undefined : Number(value);
  };
  const counts = [...facts].filter(([name]) => /^steps (?!of )/.test(name));
  const [, listed = '', more] = /^(.*?)(?: and (\d+) more)?$/.exec(facts.get('missing') ?? '') ?? [];
  const coverage = {
    ...Object.fromEntries(counts.map(([name, value]) => [name.slice(6), Number(value)])),
    missingStretches: listed.split(' ').filter(part => part !== ''),
    ...(more !== undefined && { moreMissingStretches: Number(more) }),
  };
  return provenanceOf({
    ...Object.fromEntries(facts),
    rows: number('rows'),
    rowsOfResult: number('rowsOfResult'),
    ...(counts.length > 0 && { coverage }),
  });
}

function provenanceOf(value: unknown): FileProvenance | undefined {
  const parsed = v.safeParse(form, value);
  if (!parsed.success) return undefined;
  const entries = Object.entries(parsed.output).filter(([, part]: [string, unknown]) => part !== undefined);
  return Object.fromEntries(entries) as unknown as FileProvenance;
}
