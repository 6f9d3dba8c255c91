import type { Provenance } from '../../shared/result.ts';
import { isObject, type JsonObject } from '../decode/envelope.ts';
import { parseJson } from '../json/json.ts';

/** What a file, a picture, a program or a copied table of Sample Data says: in capitals, and not translated, as a mark. */
export const sampleDataMark = 'SAMPLE DATA';
/** The same as a sentence, for comments of programs and language models. */
export const sampleLine = `${sampleDataMark}: no grid was measured.`;

/** What the envelope of an answer says of its rows: in a `meta` of its own, or beside them. */
export function serviceMeta(envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = envelope['meta'];
  return isObject(inner) ? inner : envelope;
}

/** Whether the sandbox made the rows up or replays recorded hours, which it says in `meta`; undefined for any other service. */
export function sandboxData(envelope: Readonly<Record<string, unknown>>): 'synthetic' | 'replay' | undefined {
  const { source } = serviceMeta(envelope);
  return source === 'synthetic' || source === 'replay' ? source : undefined;
}

/** An envelope from the JSON text it was kept as. */
export function parseMeta(text: string): JsonObject {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

/** Whether the rows are Sample Data: of the service inside VS Code, or of any that says in `meta` that it is a sandbox. */
export function isSampleData({ sample, meta }: Pick<Provenance, 'sample' | 'meta'>): boolean {
  return sample === true || sandboxData(meta) !== undefined;
}
