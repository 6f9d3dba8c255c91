import type { Node } from 'jsonc-parser';
import { datasetById, isInterval } from '../../query/catalogue.ts';
import type { Query } from '../../query/query.ts';
import { parseRange } from '../../range/parseRange.ts';
import { utc, zoneNamed } from '../../time/zone.ts';
import { type Alert, ruleText } from '../../watch/alert.ts';
import { unknownFieldsOf } from '../entryFields.ts';
import { isKeyName, isKeyText } from '../keyLike.ts';
import { type SavedQuery, takeFree } from '../savedItem.ts';
import { fileLimits, type FileProblem, type FileProblemCode } from './fileProblem.ts';
import { propertiesOf, propertyOf, valueOf } from './fileNode.ts';
import * as v from 'valibot';
import type { DisplayZone } from '../../../shared/protocol.ts';
import { savedViewOf } from '../../../shared/savedView.ts';
import { alertSchema } from '../records/storedItem.ts';

/** Reports a problem of a part of the file. */
export type Note = (node: Node, code: FileProblemCode, part?: string, severity?: FileProblem['severity']) => void;

/** A query without its id; undefined where it is invalid, after noting an error. */
export function readQuery(node: Node, note: Note): Omit<SavedQuery, 'id'> | undefined {
  if (hasKey(node, note)) return undefined;
  const texts = readTexts(node, note);
  const params = readParams(node, note);
  const connection = readOptional(node, 'connection', 'string', note) as string | undefined | null;
  const keepFresh = readOptional(node, 'keepFresh', 'boolean', note) as boolean | undefined | null;
  if (!texts || !params || connection === null || keepFresh === null) return undefined;
  const { name, ...query } = texts;
  const alerts = readQueryAlerts(node, note);
  const written = propertyOf(node, 'view')?.value;
  const view = savedViewOf(valueOf(written));
  if (written && !view) note(written, 'badView', 'view', 'warning');
  const unknownFields = readUnknown(node);
  return {
    kind: 'query',
    name,
    query: { ...query, params },
    ...(connection !== undefined && { connection }),
    ...(keepFresh !== undefined && { keepFresh }),
    ...(alerts.length > 0 && { alerts }),
    ...(view && { view }),
    ...(unknownFields && { unknownFields }),
  };
}

export function readUnknown(node: Node): SavedQuery['unknownFields'] {
  return unknownFieldsOf(
    propertiesOf(node).map(({ name, value }) => [name, value]),
    valueOf,
  );
}

/** Whether anything in the node looks like a key; notes it by its name only. */
export function hasKey(node: Node, note: Note): boolean {
  let found = false;
  for (const { name, node: property, value } of propertiesOf(node)) {
    const isKey = isKeyName(name) || isKeyText(name) || (value.type === 'string' && isKeyText(String(value.value)));
    if (isKey) note(property, 'keyField', isKeyText(name) ? 'a field' : name);
    const isNested = value.type === 'object' && hasKey(value, note);
    found ||= isKey || isNested;
  }
  return found;
}

function readTexts(node: Node, note: Note): (Pick<SavedQuery, 'name'> & Omit<Query, 'params'>) | undefined {
  const name = readText(node, 'name', note);
  const dataset = readText(node, 'dataset', note);
  const range = readText(node, 'range', note);
  const known = dataset === undefined ? undefined : datasetById(dataset);
  if (dataset !== undefined && !known) note(propertyOf(node, 'dataset')?.value ?? node, 'unknownDataset', dataset);
  const isRange = range !== undefined && readRange(range, propertyOf(node, 'range')?.value ?? node, note);
  const interval = propertyOf(node, 'interval') ? readText(node, 'interval', note) : known?.intervals[0];
  const isLength = interval !== undefined && isInterval(interval);
  if (interval !== undefined && !isLength) note(propertyOf(node, 'interval')?.value ?? node, 'badInterval', interval);
  const zone = readZone(node, note);
  if (name === undefined || dataset === undefined || !known || !isRange || !isLength || !zone) return undefined;
  return { name, dataset, range, interval, timeZone: zone.timeZone };
}

/** The zone of the range's days: UTC where none is written, so that a range means the same for everybody. */
function readZone(node: Node, note: Note): DisplayZone | undefined {
  const property = propertyOf(node, 'timeZone');
  if (!property) return utc;
  const text = readText(node, 'timeZone', note);
  const zone = text === undefined ? undefined : zoneNamed(text);
  if (text !== undefined && !zone) note(property.value, 'badZone', text);
  return zone;
}

function readRange(range: string, node: Node, note: Note): boolean {
  const parsed = parseRange(range);
  if (parsed.ok) return true;
  if (parsed.problem === 'ambiguous') note(node, 'ambiguousRange', parsed.readings.map(text => `"${text}"`).join(', '));
  else note(node, 'badRange', range);
  return false;
}

function readText(node: Node, name: string, note: Note): string | undefined {
  const property = propertyOf(node, name);
  if (!property) note(node, 'missing', name);
  else if (property.value.type !== 'string') note(property.value, 'notText', name);
  else return shortText(property.value, name, note);
  return undefined;
}

/** The text of a value; undefined where it is too long, after noting an error. */
export function shortText(value: Node, name: string, note: Note): string | undefined {
  const text = String(value.value);
  if (text.length <= fileLimits.text) return text;
  note(value, 'tooLong', name);
  return undefined;
}

/** Undefined where there is none; null where it is of another type or too long. */
function readOptional(node: Node, name: string, type: 'string' | 'boolean', note: Note): unknown {
  const property = propertyOf(node, name);
  if (!property) return undefined;
  if (property.value.type === 'string' && type === 'string') return shortText(property.value, name, note) ?? null;
  if (property.value.type === type) return valueOf(property.value);
  note(property.value, type === 'string' ? 'notText' : 'notAFlag', name);
  return null;
}

function readParams(node: Node, note: Note): Record<string, string> | undefined {
  const property = propertyOf(node, 'params');
  if (!property) return {};
  const entries = propertiesOf(property.value);
  const bad = entries.find(({ value }) => !['string', 'number', 'boolean'].includes(value.type));
  if (property.value.type !== 'object' || bad) {
    note(bad?.value ?? property.value, 'badParams', bad?.name ?? 'params');
    return undefined;
  }
  if (entries.length > fileLimits.elements) {
    note(property.value, 'tooManyElements', 'params');
    return undefined;
  }
  const isShort = (part: Node, name: string): boolean => shortText(part, name, note) !== undefined;
  if (
    !entries.every(
      ({ name, node: { children }, value }) => isShort(children?.[0] ?? value, 'params') && isShort(value, name),
    )
  )
    return undefined;
  return Object.fromEntries(entries.map(({ name, value }) => [name, String(value.value)]));
}

function readQueryAlerts(node: Node, note: Note): Alert[] {
  const property = propertyOf(node, 'alerts');
  if (!property) return [];
  if (property.value.type !== 'array') note(property.value, 'notAList', 'alerts', 'warning');
  const elements = property.value.type === 'array' ? (property.value.children ?? []) : [];
  if (elements.length > fileLimits.elements) note(property.value, 'tooManyElements', 'alerts', 'warning');
  return readAlerts(elements.slice(0, fileLimits.elements).map(valueOf)).flatMap((alert, index) => {
    if (!alert) note(elements[index] ?? node, 'badAlert', String(index + 1), 'warning');
    return alert ?? [];
  });
}

/**
 * Reads alerts as written in a file: without `on` an alert is on; a snooze ends at an ISO 8601 instant. Undefined for an invalid alert; the
 * others get unique ids.
 */
export function readAlerts(written: readonly unknown[]): (Alert | undefined)[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return written.map(one =>
    readAlert(one, wanted => takeFree(n => (n === 1 ? wanted : `${wanted} ${n}`), taken, numbers)),
  );
}

function readAlert(written: unknown, freeId: (wanted: string) => string): Alert | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const { id, snoozedUntil, ...rest } = written as Record<string, unknown>;
  const until = typeof snoozedUntil === 'string' ? Date.parse(snoozedUntil) : undefined;
  const parsed = v.safeParse(alertSchema, { on: true, ...rest, ...(until !== undefined && { snoozedUntil: until }) });
  if (!parsed.success) return undefined;
  const wanted = typeof id === 'string' && id !== '' ? id : ruleText(parsed.output);
  return { id: freeId(wanted), ...parsed.output };
}

/** An alert as written in a file, its fields in the order of the schema. */
export function writtenAlert({ id, on, snoozedUntil, ...rule }: Alert): Record<string, unknown> {
  return {
    ...rule,
    ...(!on && { on }),
    ...(snoozedUntil !== undefined && { snoozedUntil: new Date(snoozedUntil).toISOString() }),
    // An id that follows from the rule is created again at the next reading.
    ...(id !== ruleText(rule) && { id }),
  };
}
