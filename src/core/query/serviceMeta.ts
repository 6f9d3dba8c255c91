import type { Provenance } from '../../shared/result.ts';
import { isObject, type JsonObject } from '../decode/envelope.ts';
import { parseJson } from '../json/json.ts';

/** Marks Sample Data in files, pictures, programs and copied tables; never translated. */
export const sampleDataMark = 'SAMPLE DATA';
/** The same as a sentence, for language models and comments in programs. */
export const sampleLine = `${sampleDataMark}: no grid was measured.`;

/** The metadata in the envelope of an answer: its `meta`, or the envelope itself. */
export function serviceMeta(envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = envelope['meta'];
  return isObject(inner) ? inner : envelope;
}

/** Whether the sandbox generated the rows or replays recorded hours, from `meta`; undefined for any other service. */
export function sandboxData(envelope: Readonly<Record<string, unknown>>): 'synthetic' | 'replay' | undefined {
  const { source } = serviceMeta(envelope);
  return source === 'synthetic' || source === 'replay' ? source : undefined;
}

/** An envelope from its stored JSON text. */
export function parseMeta(text: string): JsonObject {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

/** Whether the rows are Sample Data: from the service inside VS Code, or from any whose `meta` says that it is a sandbox. */
export function isSampleData({ sample, meta }: Pick<Provenance, 'sample' | 'meta'>): boolean {
  return sample === true || sandboxData(meta) !== undefined;
}
