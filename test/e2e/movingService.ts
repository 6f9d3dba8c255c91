import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { runSystemState, tableOf } from './support.ts';

const hour = 3_600_000;
const minute = 60_000;

/** A service whose clock the test moves: it publishes each hour when it is over, and its stress is always high. */
export interface MovingService {
  readonly baseUrl: string;
  /** How often anything was asked for, and how often stress. */
  readonly requests: () => number;
  readonly stressRequests: () => number;
  readonly now: () => number;
  /** Whether it refuses the key where stress is asked for. */
  readonly rejectStress: (does: boolean) => void;
  /** Publishes the next hour, lets the window hear of the time, and has it look by a command; returns the hour as it is told. */
  readonly nextHour: (workbench: Workbench, command: string) => Promise<string>;
  /** Lets the window hear of the time: one answer with another time may be wrong, two that agree are not. */
  readonly sayTime: (workbench: Workbench) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startMovingService(): Promise<MovingService> {
  // Ten to an hour: the next one is published when the test says so.
  let offset = Math.ceil(Date.now() / hour) * hour + 50 * minute - Date.now();
  const now = (): number => Date.now() + offset;
  let rejects = false;
  const service: CannedService = await startCannedService(({ path, query }, response) => {
    const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
    const over = Math.min(end, Math.floor(now() / hour) * hour);
    const date = { Date: new Date(now()).toUTCString() };
    const isStress = path.includes('stress');
    if (isStress && rejects) sendJson(response, 401, { detail: 'Invalid API key.' }, date);
    else sendJson(response, 200, { data: rows(start, over, isStress) }, date);
  });
  const sayTime = async (workbench: Workbench): Promise<void> => {
    for (let times = 0; times < 2; times++) {
      const answered = service.seen.length;
      const range = `last ${30 + 2 * answered} hours`;
      await runSystemState(workbench, range);
      await until(
        'the time',
        async () => Promise.resolve(service.seen.length),
        count => count > answered,
      );
      await tableOf(workbench, `System state · ${range} · hourly`);
      await workbench.runCommand('View: Close Editor');
    }
  };
  return {
    sayTime,
    baseUrl: service.baseUrl,
    now,
    rejectStress: does => {
      rejects = does;
    },
    requests: () => service.seen.length,
    stressRequests: () => service.seen.filter(({ path }) => path.includes('stress')).length,
    async nextHour(workbench, command) {
      offset += Math.ceil(now() / hour) * hour + 2 * minute - now();
      await sayTime(workbench);
      await workbench.runCommand(`Grid Data: ${command}`);
      const begin = new Date(Math.floor(now() / hour) * hour - hour);
      const month = begin.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
      return `${begin.getUTCDate()} ${month} ${begin.getUTCFullYear()} ${begin.toISOString().slice(11, 16)} UTC`;
    },
    close: async () => service.close(),
  };
}

function rows(start: number, end: number, isStress: boolean): object[] {
  const all: object[] = [];
  for (let ms = start; ms < end; ms += hour)
    all.push({
      ts: new Date(ms).toISOString().replace('.000Z', 'Z'),
      ...(isStress ? { value: 0.72, version: '1.0' } : { residual_demand_mw: 25_000 }),
    });
  return all;
}
