import type { Node } from 'jsonc-parser';
import * as v from 'valibot';
import { findDataset, isInterval } from '../../query/catalogue.ts';
import { parseRange } from '../../range/parseRange.ts';
import { findZone } from '../../time/zone.ts';
import { type Alert, serializeRule } from '../../watch/alert.ts';
import { extractUnknownFields } from '../entryFields.ts';
import { isKeyName, isKeyText } from '../keyLike.ts';
import { type SavedQuery, claimFreeName } from '../savedItem.ts';
import { fileLimits, type FileProblem, type FileProblemCode } from './fileProblem.ts';
import { listProperties, findProperty, getValue } from './fileNode.ts';
import { parsePanelAnalysis } from '../../analysis/analysisSchema.ts';
import { parseDisplay } from '../../../shared/view.ts';
import { alertSchema, noteSchema } from '../records/storedItem.ts';

/** Reports a problem of a part of the file. */
export type ReportProblem = (
  node: Node,
  code: FileProblemCode,
  part?: string,
  severity?: FileProblem['severity'],
) => void;

// Valibot reports a problem by its message, which is the problem's code here.
const code = (name: FileProblemCode): FileProblemCode => name;

const textSchema = v.pipe(v.string(code('notText')), v.maxLength(fileLimits.text, code('tooLong')));
const validatedText = (isValid: (text: string) => boolean, problem: FileProblemCode) =>
  v.pipe(textSchema, v.check(isValid, problem));
/** The default is UTC rather than the user's zone, so that a range means the same for everyone. */
const zoneSchema = validatedText(text => findZone(text) !== undefined, 'badZone');

const querySchema = v.object(
  {
    name: textSchema,
    dataset: validatedText(text => findDataset(text) !== undefined, 'unknownDataset'),
    range: validatedText(text => parseRange(text).ok, 'badRange'),
    interval: v.optional(validatedText(isInterval, 'badInterval')),
    timeZone: v.optional(zoneSchema, 'UTC'),
    params: v.optional(
      v.pipe(
        v.record(
          textSchema,
          v.pipe(v.union([v.string(), v.number(), v.boolean()], code('badParams')), v.transform(String), textSchema),
          code('badParams'),
        ),
        v.maxEntries(fileLimits.elements, code('tooManyElements')),
      ),
      {},
    ),
    connection: v.optional(textSchema),
    keepFresh: v.optional(v.boolean(code('notAFlag'))),
  },
  code('missing'),
);

/** Problems whose message quotes the invalid text instead of the field. */
const problemsQuotingText: ReadonlySet<string> = new Set(['unknownDataset', 'badRange', 'badZone', 'badInterval']);

/** Reads a query without its id. Returns undefined if it is invalid, after reporting an error. */
export function readQuery(node: Node, note: ReportProblem): Omit<SavedQuery, 'id'> | undefined {
  if (hasKey(node, note)) return undefined;
  const parsed = v.safeParse(querySchema, getValue(node), { abortPipeEarly: true });
  for (const { message, path = [], input } of parsed.issues ?? []) {
    const invalidNode = path.reduce<Node | undefined>(
      (parent, { key }) => parent && findProperty(parent, String(key))?.value,
      node,
    );
    const range = message === 'badRange' ? parseRange(String(input)) : undefined;
    const part = problemsQuotingText.has(message) ? String(input) : String(path.at(-1)?.key);
    if (range?.ok === false && range.problem === 'ambiguous')
      note(invalidNode ?? node, 'ambiguousRange', range.readings.map(text => `"${text}"`).join(', '));
    else note(invalidNode ?? node, message as FileProblemCode, part);
  }
  if (!parsed.success) return undefined;
  const { name, connection, keepFresh, interval, timeZone, ...query } = parsed.output;
  const alerts = readQueryAlerts(node, note);
  const readPart = <T>(
    name: string,
    problem: FileProblemCode,
    parse: (written: unknown) => T | undefined,
  ): T | undefined => {
    const written = findProperty(node, name)?.value;
    const value = parse(getValue(written));
    if (written && value === undefined) note(written, problem, name, 'warning');
    return value;
  };
  const analysis = readPart('analysis', 'badAnalysis', parsePanelAnalysis);
  const display = readPart('display', 'badDisplay', parseDisplay);
  const text = readNote(node, note);
  const unknownFields = readUnknown(node);
  return {
    kind: 'query',
    name,
    query: {
      ...query,
      interval: interval ?? findDataset(query.dataset)?.intervals[0] ?? '',
      timeZone: findZone(timeZone)?.timeZone ?? timeZone,
    },
    ...(connection !== undefined && { connection }),
    ...(keepFresh !== undefined && { keepFresh }),
    ...(alerts.length > 0 && { alerts }),
    ...(text !== undefined && { note: text }),
    ...(analysis && { analysis }),
    ...(display && { display }),
    ...(unknownFields && { unknownFields }),
  };
}

/** Reads the note of an entry. Returns undefined if there is none, or if it is invalid, which is reported. */
export function readNote(node: Node, note: ReportProblem): string | undefined {
  const written = findProperty(node, 'note')?.value;
  const parsed = written && v.safeParse(noteSchema, getValue(written));
  if (parsed?.success === false)
    note(written ?? node, written?.type === 'string' ? 'longNote' : 'notText', 'note', 'warning');
  return parsed?.success ? parsed.output : undefined;
}

export function readUnknown(node: Node): SavedQuery['unknownFields'] {
  return extractUnknownFields(getValue(node) ?? {});
}

/** Whether anything in the node looks like an API key. Reports the property's name only, never its content. */
export function hasKey(node: Node, note: ReportProblem): boolean {
  let hasFound = false;
  for (const { name, node: property, value } of listProperties(node)) {
    const isKey = isKeyName(name) || isKeyText(name) || (value.type === 'string' && isKeyText(String(value.value)));
    if (isKey) note(property, 'keyField', isKeyText(name) ? 'a field' : name);
    const isNested = value.type === 'object' && hasKey(value, note);
    hasFound ||= isKey || isNested;
  }
  return hasFound;
}

function readQueryAlerts(node: Node, note: ReportProblem): Alert[] {
  const list = findProperty(node, 'alerts')?.value;
  if (list && list.type !== 'array') note(list, 'notAList', 'alerts', 'warning');
  const elements = list?.type === 'array' ? (list.children ?? []) : [];
  if (list && elements.length > fileLimits.elements) note(list, 'tooManyElements', 'alerts', 'warning');
  return readAlerts(elements.slice(0, fileLimits.elements).map(getValue)).flatMap((alert, index) => {
    if (!alert) note(elements[index] ?? node, 'badAlert', String(index + 1), 'warning');
    return alert ?? [];
  });
}

/**
 * Reads alerts from a file, where `on` defaults to true and a snooze ends at an ISO 8601 instant. An invalid alert becomes undefined; the
 * others get unique ids.
 */
export function readAlerts(written: readonly unknown[]): (Alert | undefined)[] {
  const usedIds = new Set<string>();
  const numbers = new Map<string, number>();
  return written.map(element =>
    readAlert(element, preferredId =>
      claimFreeName(n => (n === 1 ? preferredId : `${preferredId} ${n}`), usedIds, numbers),
    ),
  );
}

function readAlert(written: unknown, freeId: (preferredId: string) => string): Alert | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const { id, snoozedUntil, ...rest } = written as Record<string, unknown>;
  const until = typeof snoozedUntil === 'string' ? Date.parse(snoozedUntil) : undefined;
  const parsed = v.safeParse(alertSchema, { on: true, ...rest, ...(until !== undefined && { snoozedUntil: until }) });
  if (!parsed.success) return undefined;
  const preferredId = typeof id === 'string' && id !== '' ? id : serializeRule(parsed.output);
  return { id: freeId(preferredId), ...parsed.output };
}

/** Converts an alert to its JSON in a file, with the fields in the order of the schema. */
export function serializeAlert({ id, on, snoozedUntil, ...rule }: Alert): Record<string, unknown> {
  return {
    ...rule,
    ...(!on && { on }),
    ...(snoozedUntil !== undefined && { snoozedUntil: new Date(snoozedUntil).toISOString() }),
    // An id that equals the rule's text need not be written: reading the file assigns it again.
    ...(id !== serializeRule(rule) && { id }),
  };
}
