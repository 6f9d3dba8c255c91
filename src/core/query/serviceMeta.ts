import type { Provenance } from '../../shared/result.ts';
import { toInertText } from '../inertText.ts';
import { isObject, type JsonObject } from '../decode/envelope.ts';
import { parseJson } from '../json/json.ts';

/** Marks of sandbox rows in files, pictures, programs and copied tables; never translated. */
export const sampleDataMark = 'SAMPLE DATA';
export const replayMark = 'REPLAYED HOURS';
/** The same as a sentence, for language models and comments in programs. */
const sampleDataSentence = `${sampleDataMark}: no grid was measured.`;
const maxNameLength = 200;

/** Returns the metadata in the envelope of a response: its `meta`, or the envelope itself. */
export function getServiceMeta(envelope: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = envelope['meta'];
  return isObject(inner) ? inner : envelope;
}

/** A sandbox generates its rows or replays recorded hours. */
export type SandboxData = 'synthetic' | 'replay';

/** Returns whether the sandbox generated the rows or replays recorded hours, according to `meta`; undefined for any other service. */
export function getSandboxData(envelope: Readonly<Record<string, unknown>>): SandboxData | undefined {
  const { source } = getServiceMeta(envelope);
  return source === 'synthetic' || source === 'replay' ? source : undefined;
}

/** Parses an envelope from its stored JSON. */
export function parseMeta(text: string): JsonObject {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

type RowOrigin = Pick<Provenance, 'sample' | 'meta'>;

/**
 * Returns whether the rows were generated or replayed, by the service inside VS Code or by any whose `meta` reports it; undefined for a real
 * service.
 */
export function getDataKind({ sample, meta }: RowOrigin): SandboxData | undefined {
  return getSandboxData(meta) ?? (sample === true ? 'synthetic' : undefined);
}

export function isSandboxData(data: RowOrigin): boolean {
  return getDataKind(data) !== undefined;
}

/** Returns the mark of rows that no service measured. */
export function getDataMark(data: RowOrigin): string | undefined {
  const kind = getDataKind(data);
  return kind && { synthetic: sampleDataMark, replay: replayMark }[kind];
}

/** Formats the mark with details of the rows: `REPLAYED HOURS (2023.csv; its times are moved 104 weeks later)`. */
export function formatDataMark(data: RowOrigin): string | undefined {
  const mark = getDataMark(data);
  if (mark !== replayMark) return mark;
  const { replayed_from: files } = getServiceMeta(data.meta);
  return typeof files === 'string' ? `${mark} (${toInertText(files, maxNameLength)})` : mark;
}

/** Formats the mark as a sentence. */
export function formatDataSentence(data: RowOrigin): string | undefined {
  const text = formatDataMark(data);
  return text === undefined ? undefined : formatMarkSentence(text);
}

/** Formats a text of `formatDataMark` as a sentence. */
export function formatMarkSentence(text: string): string {
  return parseMark(text) === replayMark ? `${text}: measured earlier, and replayed by a sandbox.` : sampleDataSentence;
}

/** Returns the mark in a text of `formatDataMark`. */
export function parseMark(text: string): string {
  return text.startsWith(replayMark) ? replayMark : sampleDataMark;
}
