import type { Provenance } from '../../shared/result.ts';
import { inertText } from '../inertText.ts';
import { isObject, type JsonObject } from '../decode/envelope.ts';
import { parseJson } from '../json/json.ts';

/** Mark the rows of a sandbox in files, pictures, programs and copied tables; never translated. */
export const sampleDataMark = 'SAMPLE DATA';
export const replayMark = 'REPLAYED HOURS';
/** The same as a sentence, for language models and comments in programs. */
const sampleLine = `${sampleDataMark}: no grid was measured.`;
const longestName = 200;

/** The metadata in the envelope of an answer: its `meta`, or the envelope itself. */
export function serviceMeta(envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = envelope['meta'];
  return isObject(inner) ? inner : envelope;
}

/** A sandbox makes its rows up, or replays recorded hours. */
export type SandboxData = 'synthetic' | 'replay';

/** Whether the sandbox generated the rows or replays recorded hours, from `meta`; undefined for any other service. */
export function sandboxData(envelope: Readonly<Record<string, unknown>>): SandboxData | undefined {
  const { source } = serviceMeta(envelope);
  return source === 'synthetic' || source === 'replay' ? source : undefined;
}

/** An envelope from its stored JSON text. */
export function parseMeta(text: string): JsonObject {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

type Data = Pick<Provenance, 'sample' | 'meta'>;

/** Whether the rows were made up or replayed: by the service inside VS Code, or any whose `meta` says so. Undefined for a service's own. */
export function dataKind({ sample, meta }: Data): SandboxData | undefined {
  return sandboxData(meta) ?? (sample === true ? 'synthetic' : undefined);
}

export function isSandboxData(data: Data): boolean {
  return dataKind(data) !== undefined;
}

/** The mark of the rows that no service measured. */
export function dataMark(data: Data): string | undefined {
  const kind = dataKind(data);
  return kind && { synthetic: sampleDataMark, replay: replayMark }[kind];
}

/** The mark with what is known of the rows: `REPLAYED HOURS (2023.csv; its times are moved 104 weeks later)`. */
export function dataText(data: Data): string | undefined {
  const mark = dataMark(data);
  if (mark !== replayMark) return mark;
  const { replayed_from: files } = serviceMeta(data.meta);
  return typeof files === 'string' ? `${mark} (${inertText(files, longestName)})` : mark;
}

/** The same as a sentence. */
export function dataLine(data: Data): string | undefined {
  const text = dataText(data);
  return text === undefined ? undefined : markSentence(text);
}

/** The sentence of a text of `dataText`. */
export function markSentence(text: string): string {
  return markOf(text) === replayMark ? `${text}: measured before, and answered by a sandbox.` : sampleLine;
}

/** The mark of a text of `dataText`. */
export function markOf(text: string): string {
  return text.startsWith(replayMark) ? replayMark : sampleDataMark;
}
