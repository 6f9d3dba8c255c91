import * as v from 'valibot';
import { panelAnalysisSchema } from '../../analysis/analysisSchema.ts';
import { querySchema } from '../../query/querySchema.ts';
import { parseBoard } from '../board.ts';
import { extractUnknownFields } from '../entryFields.ts';
import { maxNoteLength, type SavedItem } from '../savedItem.ts';
import { derivedLimits } from '../../../shared/derivedColumns.ts';
import { maxAlertRows } from '../../watch/alert.ts';
import { parseDisplay } from '../../../shared/view.ts';

const common = {
  on: v.boolean(),
  snoozedUntil: v.optional(v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15))),
};
/** An alert without its id, as stored in personal state and in files. */
export const alertSchema = v.variant('kind', [
  v.object({
    kind: v.literal('condition'),
    condition: v.pipe(v.string(), v.nonEmpty(), v.maxLength(derivedLimits.formula)),
    rows: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxAlertRows))),
    ...common,
  }),
  v.object({ kind: v.literal('late'), ...common }),
]);

export const noteSchema = v.pipe(v.string(), v.maxLength(maxNoteLength));

/** Creates the schema of an object that is valid if `parse` returns a value for it. */
const createParsedSchema = <T>(parse: (stored: unknown) => T | undefined) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform(stored => parse(stored)),
      v.custom<T>(parsed => parsed !== undefined),
    ),
  );

const itemSchema = v.variant('kind', [
  v.object({
    kind: v.literal('query'),
    name: v.string(),
    query: querySchema,
    connection: v.optional(v.string()),
    keepFresh: v.optional(v.boolean()),
    alerts: v.optional(v.array(v.intersect([v.object({ id: v.string() }), alertSchema]))),
    note: v.optional(noteSchema),
    analysis: v.optional(panelAnalysisSchema),
    display: createParsedSchema(parseDisplay),
  }),
  v.object({
    kind: v.literal('folder'),
    name: v.string(),
    note: v.optional(noteSchema),
    board: createParsedSchema(parseBoard),
  }),
]);

/** Converts an item to JSON, without its id and without the items of a folder. */
export function serializeItem({ id: _id, unknownFields, ...item }: SavedItem): Readonly<Record<string, unknown>> {
  const { items: _items, ...rest } = item as Record<string, unknown>;
  return { ...unknownFields, ...rest };
}

/** Parses an item from JSON, with its fields in a fixed order. Returns undefined if it is invalid. A folder has no items yet. */
export function parseItem(id: string, stored: Readonly<Record<string, unknown>>): SavedItem | undefined {
  const parsed = v.safeParse(itemSchema, stored);
  if (!parsed.success) return undefined;
  const unknownFields = extractUnknownFields(stored);
  const item = { ...parsed.output, id, ...(unknownFields && { unknownFields }) };
  return item.kind === 'folder' ? { ...item, items: [] } : item;
}
