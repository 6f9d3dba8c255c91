import * as v from 'valibot';
import type { Alert } from '../../watch/alert.ts';
import { savedBoardOf } from '../board.ts';
import { unknownFieldsOf } from '../entryFields.ts';
import type { SavedItem } from '../savedItem.ts';
import { derivedLimits } from '../../../shared/derivedColumns.ts';
import { savedViewOf } from '../../../shared/savedView.ts';
import { stressBandIds } from '../../../shared/stressBands.ts';

/** The folder ("" at the top) and a number by which its items are sorted. */
type PlaceValue = readonly [folder: string, order: number];

const common = {
  on: v.boolean(),
  snoozedUntil: v.optional(v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15))),
};
const value = v.pipe(v.number(), v.finite());
/** An alert without its id, as stored in personal state and in files. */
export const alertSchema = v.variant('kind', [
  v.object({
    kind: v.picklist(['over', 'under']),
    field: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
    value,
    ...common,
  }),
  v.object({ kind: v.literal('stressBand'), band: v.picklist(stressBandIds), ...common }),
  v.object({ kind: v.literal('rampAbove'), value, ...common }),
  v.object({ kind: v.literal('late'), ...common }),
]);

const textOf = (longest: number) => v.pipe(v.string(), v.maxLength(longest));
export const derivedSchema = v.pipe(
  v.array(v.object({ name: textOf(derivedLimits.name), formula: textOf(derivedLimits.formula) })),
  v.maxLength(derivedLimits.columns),
);

const nameSchema = v.string();
const placeSchema = v.strictTuple([v.string(), v.pipe(v.number(), v.finite())]);
const querySchema = v.strictTuple([v.string(), v.string(), v.string(), v.record(v.string(), v.string()), v.string()]);
const alertEntrySchema = v.strictTuple([v.number(), alertSchema]);
const alertPrefix = 'alert:';

/** Whether a value is valid in a field; unknown fields, from later versions, may have any value. */
export function isFieldValue(name: string, fieldValue: unknown): boolean {
  if (name === 'name') return v.is(nameSchema, fieldValue);
  if (name === 'place') return v.is(placeSchema, fieldValue);
  if (name === 'query') return v.is(querySchema, fieldValue);
  if (fieldValue === null) return true;
  if (name === 'connection') return typeof fieldValue === 'string';
  if (name === 'keepFresh') return typeof fieldValue === 'boolean';
  if (name === 'view') return savedViewOf(fieldValue) !== undefined;
  if (name === 'board') return savedBoardOf(fieldValue) !== undefined;
  return !name.startsWith(alertPrefix) || v.is(alertEntrySchema, fieldValue);
}

/** The fields of an item, without its place. */
export function recordFields(item: SavedItem): Map<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries({ ...item.unknownFields, name: item.name }));
  if (item.kind === 'folder') return item.board ? fields.set('board', item.board) : fields;
  const { dataset, range, interval, params, timeZone } = item.query;
  fields.set('query', [dataset, range, interval, params, timeZone]);
  if (item.connection !== undefined) fields.set('connection', item.connection);
  if (item.keepFresh !== undefined) fields.set('keepFresh', item.keepFresh);
  if (item.view) fields.set('view', item.view);
  for (const [order, { id, ...alert }] of (item.alerts ?? []).entries())
    fields.set(`${alertPrefix}${id}`, [order, alert]);
  return fields;
}

/** The item of these fields, whose values are valid by `isFieldValue`. A folder has no items yet. */
export function itemOf(id: string, fields: ReadonlyMap<string, unknown>): SavedItem {
  const name = fields.get('name');
  const query = fields.get('query');
  const unknownFields = unknownFieldsOf(
    [...fields].filter(([, fieldValue]) => fieldValue !== null),
    fieldValue => fieldValue,
  );
  if (!v.is(querySchema, query)) {
    const board = savedBoardOf(fields.get('board'));
    const folder = { kind: 'folder', id, name: typeof name === 'string' ? name : id, items: [] } as const;
    return { ...folder, ...(board && { board }), ...(unknownFields && { unknownFields }) };
  }
  const [dataset, range, interval, params, timeZone] = query;
  const connection = fields.get('connection');
  const keepFresh = fields.get('keepFresh');
  const alerts = alertsOf(fields);
  const view = savedViewOf(fields.get('view'));
  return {
    kind: 'query',
    id,
    name: typeof name === 'string' ? name : range,
    query: { dataset, range, interval, params, timeZone },
    ...(typeof connection === 'string' && { connection }),
    ...(typeof keepFresh === 'boolean' && { keepFresh }),
    ...(alerts.length > 0 && { alerts }),
    ...(view && { view }),
    ...(unknownFields && { unknownFields }),
  };
}

export function placeOf(fields: ReadonlyMap<string, { readonly value: unknown }>): PlaceValue {
  const place = fields.get('place')?.value;
  return v.is(placeSchema, place) ? place : ['', Number.MAX_VALUE];
}

function alertsOf(fields: ReadonlyMap<string, unknown>): Alert[] {
  const entries = [...fields].flatMap(([name, fieldValue]) => {
    if (!name.startsWith(alertPrefix) || !v.is(alertEntrySchema, fieldValue)) return [];
    const id = name.slice(alertPrefix.length);
    return [{ order: fieldValue[0], alert: { id, ...fieldValue[1] } }];
  });
  entries.sort((a, b) => a.order - b.order || (a.alert.id < b.alert.id ? -1 : 1));
  return entries.map(({ alert }) => alert);
}
