import * as v from 'valibot';
import { comparedPeriodForm } from '../../core/analysis/analysisSchema.ts';
import type { Query } from '../../core/query/query.ts';
import { zoneNamed } from '../../core/time/zone.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Comparison } from '../../core/compare/comparedRanges.ts';
import type { PanelBoard } from './sessionState.ts';

const text = v.pipe(v.string(), v.maxLength(1_000));
const comparison = v.variant('kind', [
  comparedPeriodForm,
  v.object({ kind: v.literal('file'), uri: v.pipe(v.string(), v.maxLength(10_000)), name: text }),
]);
const question = v.object({
  dataset: text,
  range: text,
  interval: text,
  params: v.record(text, text),
  timeZone: text,
  connection: text,
  zone: v.optional(text),
  saved: v.optional(text),
  board: v.optional(text),
  unlinked: v.optional(v.literal(true)),
  // One that cannot be read is forgotten, not the question.
  comparison: v.fallback(v.optional(comparison), undefined),
});

/** What VS Code keeps of a panel across restarts: the question, never the answer and never a key. */
export interface SavedPanel {
  readonly query: Query;
  /** Id of the connection. */
  readonly connection: string;
  readonly zone: DisplayZone | undefined;
  /** The saved query that it was opened from, by `entryId`. */
  readonly saved: string | undefined;
  readonly board: PanelBoard | undefined;
  readonly comparison: Comparison | undefined;
}

/** As the page keeps it. */
export function savedPanelQuery(panel: SavedPanel): Record<string, unknown> {
  const { query, connection, zone, saved, board, comparison } = panel;
  const others = {
    ...(zone && { zone: zone.timeZone }),
    ...(saved !== undefined && { saved }),
    ...(board && { board: board.id }),
    ...(board?.isLinked === false && { unlinked: true }),
  };
  return { ...query, connection, ...others, ...(comparison && { comparison }) };
}

/** Reads the state that a page stored; undefined for anything else. */
export function readSavedPanel(state: unknown): SavedPanel | undefined {
  const stored = typeof state === 'object' && state !== null ? (state as { question?: unknown }).question : undefined;
  const parsed = v.safeParse(question, stored);
  if (!parsed.success) return undefined;
  const { connection, zone, saved, board: id, unlinked, comparison, ...query } = parsed.output;
  const board = id === undefined ? undefined : { id, isLinked: !unlinked };
  return { query, connection, zone: zone === undefined ? undefined : zoneNamed(zone), saved, board, comparison };
}
