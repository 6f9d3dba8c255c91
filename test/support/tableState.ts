import { hourMs } from '../../src/shared/durations.ts';
import type { Frame } from '../../src/shared/frame.ts';
import type { TableState } from '../../src/shared/protocol.ts';

/** Creates the state of a result in a table, as a page receives it: hours without coverage by default. */
export function createTableState(frame: Frame, more: Partial<TableState> = {}): TableState {
  const utc = { timeZone: 'UTC', label: 'UTC' };
  return {
    view: 'table',
    title: 'Q',
    tools: { range: 'r', interval: 'hourly', actions: [] },
    header: [],
    origin: { connection: 'Grid', mark: '', dates: '' },
    zone: utc,
    zones: [utc],
    minCoverage: 0,
    interval: '1h',
    start: 0,
    intervalMs: hourMs,
    frame,
    coverage: undefined,
    compared: [],
    ...more,
  };
}
