import type { ServerResponse } from 'node:http';
import { sendJson, type SeenRequest } from '../support/cannedService.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** One record of the canned system state: made of its hour alone, so that a test can say what stands where. */
type GridRecord = Readonly<Record<string, unknown>> & { readonly ts: string };

/** What a request asked for: UTC milliseconds. `end` does not belong to it. */
export interface Asked {
  readonly start: number;
  readonly end: number;
  readonly stepMs: number;
}

/** Reads the range and the interval of a request. */
export function askedOf(query: URLSearchParams): Asked {
  return {
    start: Date.parse(query.get('start') ?? ''),
    end: Date.parse(query.get('end') ?? ''),
    stepMs: query.get('interval') === '1d' ? dayMs : hourMs,
  };
}

/** Answers as a canned service with the records of what was asked for. */
export function answerHours({ query }: SeenRequest, response: ServerResponse): void {
  sendJson(response, 200, { data: gridRecords(askedOf(query)) });
}

/** The records of a range, oldest first. */
export function gridRecords({ start, end, stepMs }: Asked): GridRecord[] {
  const count = Math.max(0, Math.floor((end - start) / stepMs));
  return Array.from({ length: count }, (_, step) => recordAt(start + step * stepMs, stepMs));
}

/**
 * Numbers of three units (MW, % and one of none), a null in every tenth hour, numbers below zero, both directions of a
 * ramp, and a text that no format can take as it is.
 */
function recordAt(ms: number, stepMs: number): GridRecord {
  const hour = (ms / hourMs) % 24;
  const step = Math.round(ms / stepMs) % 1000;
  const demand = stepMs === dayMs ? 21_150 : 20_000 + hour * 100;
  return {
    ts: new Date(ms).toISOString().replace('.000Z', 'Z'),
    residual_demand_mw: demand,
    residual_forecast_mw: demand + 50.25,
    thermal_mw: 18_000,
    nuclear_mw: 1_800,
    eskom_ocgt_mw: step % 10 === 0 ? null : (step % 4) * 100,
    wind_mw: 1_000 + (step % 7),
    net_import_mw: -50 - hour,
    renewable_share_pct: 10 + hour / 4,
    ocgt_ramp_mw: ((step % 3) - 1) * 100,
    price: 900 + hour,
    value: 0.4,
    outlook: hour < 12 ? 'coal, mostly' : 'a "windy"\tday',
  };
}
