import * as v from 'valibot';
import { comparedPeriodSchema, joinSchema } from '../../core/analysis/analysisSchema.ts';
import type { JoinSource } from '../../shared/analysis.ts';
import type { Query } from '../../core/query/query.ts';
import { findZone } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Comparison } from '../../core/compare/comparedRanges.ts';
import type { PanelBoard } from './sessionState.ts';

const shortText = v.pipe(v.string(), v.maxLength(1_000));
const comparisonSchema = v.variant('kind', [
  comparedPeriodSchema,
  v.object({ kind: v.literal('file'), uri: v.pipe(v.string(), v.maxLength(10_000)), name: shortText }),
]);
const savedPanelSchema = v.object({
  dataset: shortText,
  range: shortText,
  interval: shortText,
  params: v.record(shortText, shortText),
  timeZone: shortText,
  connection: shortText,
  zone: v.optional(shortText),
  saved: v.optional(shortText),
  board: v.optional(shortText),
  unlinked: v.optional(v.literal(true)),
  // Ignores invalid sources, so that the query can still be restored.
  comparison: v.fallback(v.optional(comparisonSchema), undefined),
  join: v.fallback(v.optional(joinSchema), undefined),
});

/** The state of a panel that survives a restart. It contains the query, but neither the result nor a key. */
export interface SavedPanel {
  readonly query: Query;
  /** The id of the connection. */
  readonly connection: string;
  readonly zone: DisplayZone | undefined;
  /** The `entryId` of the saved query that the panel shows. */
  readonly savedId: string | undefined;
  readonly board: PanelBoard | undefined;
  readonly comparison: Comparison | undefined;
  readonly join?: readonly JoinSource[] | undefined;
}

/** Serializes the state of a panel. Its page stores it. */
export function serializePanel(panel: SavedPanel): Record<string, unknown> {
  const { query, connection, zone, savedId, board, comparison, join } = panel;
  const optional = {
    ...(zone && { zone: zone.timeZone }),
    ...(savedId !== undefined && { saved: savedId }),
    ...(board && { board: board.id }),
    ...(board?.isLinked === false && { unlinked: true }),
  };
  return { ...query, connection, ...optional, ...(comparison && { comparison }), ...(join && { join }) };
}

/** Parses the state that a page has stored. Returns undefined if it is invalid. */
export function parseSavedPanel(state: unknown): SavedPanel | undefined {
  const storedValue =
    typeof state === 'object' && state !== null ? (state as { question?: unknown }).question : undefined;
  const parsed = v.safeParse(savedPanelSchema, storedValue);
  if (!parsed.success) return undefined;
  const { connection, zone, saved: savedId, board: id, unlinked, comparison, join, ...query } = parsed.output;
  const board = id === undefined ? undefined : { id, isLinked: !unlinked };
  return { query, connection, zone: zone === undefined ? undefined : findZone(zone), savedId, board, comparison, join };
}
