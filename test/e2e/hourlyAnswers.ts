import type { ServerResponse } from 'node:http';
import { sendJson, type SeenRequest } from '../support/cannedService.ts';

const hour = 3_600_000;

/** A row for each hour of what is asked for. */
export function answerHours({ query }: SeenRequest, response: ServerResponse): void {
  const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
  const data = Array.from({ length: Math.max(0, Math.min(5_000, (end - start) / hour)) }, (_, index) => ({
    ts: new Date(start + index * hour).toISOString(),
    residual_demand_mw: 20_000 + index,
    thermal_mw: 18_000,
    wind_mw: 1_000 + index,
    value: 0.4,
  }));
  sendJson(response, 200, { data });
}
