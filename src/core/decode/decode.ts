import { dictionaryOf, type Frame } from '../../shared/frame.ts';
import type { TableProblem } from '../../shared/tableLimits.ts';
import { flatten } from './flatten.ts';
import { openEnvelope, type JsonObject } from './envelope.ts';
import { jsonText } from '../json/json.ts';
import { TableLimitError } from '../errors.ts';
import { TextCounter } from '../frame/textCounter.ts';
import { typedColumn } from './typedColumn.ts';

export interface Decoded {
  /** Undefined where the JSON is not a table, and is shown as text only. */
  readonly frame: Frame | undefined;
  /** Why there is no frame. */
  readonly problem?: TableProblem;
  /** The envelope without its rows, and without members that are too long. */
  readonly meta: JsonObject;
}

/** The most characters of JSON of an envelope, which is stored in every file of the archive. */
const mostMeta = 100_000;

/** Any parsed JSON bodies (the pages of one answer, in order) as one frame with at most `mostCells` cells. */
export function decode(pages: readonly unknown[], mostCells?: number): Decoded {
  try {
    return decodePages(pages, mostCells);
  } catch (error) {
    if (error instanceof TableLimitError) return { frame: undefined, problem: error.problem, meta: {} };
    throw error;
  }
}

function decodePages(pages: readonly unknown[], mostCells?: number): Decoded {
  const opened = pages.map(page => openEnvelope(page));
  const meta = shortMeta(opened[0]?.meta ?? {});
  if (opened.some(page => page.records === undefined)) return { frame: undefined, problem: 'notRecords', meta };
  const records = opened.length === 1 ? (opened[0]?.records ?? []) : opened.flatMap(page => page.records ?? []);
  return { frame: frameOf(records, mostCells), meta };
}

function shortMeta(meta: JsonObject): JsonObject {
  let room = mostMeta;
  const short = Object.entries(meta).filter(([name, member]) => {
    const length = name.length + lengthOf(member);
    if (length > room) return false;
    room -= length;
    return true;
  });
  return Object.fromEntries(short);
}

/** The length of a member of the envelope as JSON; Infinity where it is nested too deep. */
function lengthOf(member: unknown): number {
  try {
    return jsonText(member, 1).length;
  } catch (error) {
    if (error instanceof TableLimitError) return Infinity;
    throw error;
  }
}

/** Records as a frame: columns in order of first appearance, names joined with dots. Throws TableLimitError. */
export function frameOf(records: readonly JsonObject[], mostCells?: number): Frame {
  const taken = new Set<string>();
  const texts = new TextCounter();
  const columns = flatten(records, mostCells).map(raw => {
    let keys = raw.path;
    let name = keys.join('.');
    // A field "a.b" beside a field "a" that contains "b": quotes tell their names apart.
    while (taken.has(name)) {
      keys = keys.map(key => JSON.stringify(key));
      name = keys.join('.');
    }
    taken.add(name);
    const column = typedColumn(raw, name);
    for (const text of dictionaryOf(column)?.entries ?? []) texts.add(text);
    return column;
  });
  return { rowCount: records.length, columns };
}
