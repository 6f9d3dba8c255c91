import { dictionaryOf, type Frame } from '../../shared/frame.ts';
import type { TableProblem } from '../../shared/tableLimits.ts';
import { flatten } from './flatten.ts';
import { openEnvelope, type JsonObject } from './envelope.ts';
import { serializeJson } from '../json/json.ts';
import { TableLimitError } from '../errors.ts';
import { TextCounter } from '../frame/textCounter.ts';
import { createTypedColumn } from './typedColumn.ts';

export interface Decoded {
  /** Undefined if the JSON is not a table; it is then displayed as text only. */
  readonly frame: Frame | undefined;
  /** Why there is no frame. */
  readonly problem?: TableProblem;
  /** The envelope without its rows, and without members that are too long. */
  readonly meta: JsonObject;
}

/** Maximum length of an envelope as JSON, since every file of the archive contains it. */
const maxMetaLength = 100_000;

/** Decodes parsed JSON bodies (the pages of one response, in order) into one frame with at most `maxCells` cells. */
export function decode(pages: readonly unknown[], maxCells?: number): Decoded {
  try {
    return decodePages(pages, maxCells);
  } catch (error) {
    if (error instanceof TableLimitError) return { frame: undefined, problem: error.problem, meta: {} };
    throw error;
  }
}

function decodePages(pages: readonly unknown[], maxCells?: number): Decoded {
  const envelopes = pages.map(page => openEnvelope(page));
  const meta = shortenMeta(envelopes[0]?.meta ?? {});
  if (envelopes.some(page => page.records === undefined)) return { frame: undefined, problem: 'notRecords', meta };
  const records =
    envelopes.length === 1 ? (envelopes[0]?.records ?? []) : envelopes.flatMap(page => page.records ?? []);
  return { frame: recordsToFrame(records, maxCells), meta };
}

function shortenMeta(meta: JsonObject): JsonObject {
  let remaining = maxMetaLength;
  const retainedMembers = Object.entries(meta).filter(([name, member]) => {
    const length = name.length + getJsonLength(member);
    if (length > remaining) return false;
    remaining -= length;
    return true;
  });
  return Object.fromEntries(retainedMembers);
}

/** Returns the length of a member of the envelope as JSON, or Infinity if it is nested too deeply. */
function getJsonLength(member: unknown): number {
  try {
    return serializeJson(member, 1).length;
  } catch (error) {
    if (error instanceof TableLimitError) return Infinity;
    throw error;
  }
}

/** Converts records to a frame, with columns in order of first appearance and names joined by dots. Throws TableLimitError. */
export function recordsToFrame(records: readonly JsonObject[], maxCells?: number): Frame {
  const usedNames = new Set<string>();
  const texts = new TextCounter();
  const columns = flatten(records, maxCells).map(rawColumn => {
    let keys = rawColumn.path;
    let name = keys.join('.');
    // Quotes distinguish a field "a.b" from the field "b" in a field "a".
    while (usedNames.has(name)) {
      keys = keys.map(key => JSON.stringify(key));
      name = keys.join('.');
    }
    usedNames.add(name);
    const column = createTypedColumn(rawColumn, name);
    for (const text of dictionaryOf(column)?.entries ?? []) texts.add(text);
    return column;
  });
  return { rowCount: records.length, columns };
}
