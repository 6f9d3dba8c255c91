import type { ServerResponse } from 'node:http';
import { sendJson, type ReceivedRequest } from '../support/cannedService.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A record of the canned system state. It depends on its time only, so that tests know every value. */
type GridRecord = Readonly<Record<string, unknown>> & { readonly ts: string };

/** The range and interval of a request in UTC milliseconds; `end` is exclusive. */
export interface RequestedRange {
  readonly start: number;
  readonly end: number;
  readonly intervalMs: number;
}

/** Reads the range and the interval of a request. */
export function parseRequestedRange(query: URLSearchParams): RequestedRange {
  return {
    start: Date.parse(query.get('start') ?? ''),
    end: Date.parse(query.get('end') ?? ''),
    intervalMs: query.get('interval') === '1d' ? dayMs : hourMs,
  };
}

/** Responds like a canned service with the records of the requested range. */
export function respondWithHours({ query }: ReceivedRequest, response: ServerResponse): void {
  sendJson(response, 200, { data: createGridRecords(parseRequestedRange(query)) });
}

/** Creates the records of a range, oldest first. */
export function createGridRecords({ start, end, intervalMs }: RequestedRange): GridRecord[] {
  const count = Math.max(0, Math.floor((end - start) / intervalMs));
  return Array.from({ length: count }, (_, index) => createRecord(start + index * intervalMs, intervalMs));
}

/**
 * Creates a record with numbers in MW, in % and without a unit, a null in every tenth hour, negative numbers, a ramp in both
 * directions, and a text that every export format has to quote.
 */
function createRecord(ms: number, intervalMs: number): GridRecord {
  const hour = (ms / hourMs) % 24;
  const index = Math.round(ms / intervalMs) % 1000;
  const demand = intervalMs === dayMs ? 21_150 : 20_000 + hour * 100;
  return {
    ts: new Date(ms).toISOString().replace('.000Z', 'Z'),
    residual_demand_mw: demand,
    residual_forecast_mw: demand + 50.25,
    thermal_mw: 18_000,
    nuclear_mw: 1_800,
    eskom_ocgt_mw: index % 10 === 0 ? null : (index % 4) * 100,
    wind_mw: 1_000 + (index % 7),
    net_import_mw: -50 - hour,
    renewable_share_pct: 10 + hour / 4,
    ocgt_ramp_mw: ((index % 3) - 1) * 100,
    price: 900 + hour,
    value: 0.4,
    outlook: hour < 12 ? 'coal, mostly' : 'a "windy"\tday',
  };
}
