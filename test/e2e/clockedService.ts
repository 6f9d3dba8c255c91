import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { runSystemState, waitForTable } from './support.ts';

const hour = 3_600_000;
const minute = 60_000;

/** A service whose clock the test advances. It publishes each hour when it has ended, and its stress is always high. */
export interface ClockedService {
  readonly baseUrl: string;
  /** The number of all requests. */
  readonly requests: () => number;
  /** The number of requests for grid stress. */
  readonly stressRequests: () => number;
  readonly now: () => number;
  /** Sets whether it rejects the key in requests for grid stress. */
  readonly rejectStress: (isRejected: boolean) => void;
  /** Publishes the next hour, lets the window detect the time, and runs a command that refreshes. Returns the hour as alerts show it. */
  readonly publishNextHour: (workbench: Workbench, command: string) => Promise<string>;
  /** Lets the window detect the service's time, which takes two responses that agree. */
  readonly syncClock: (workbench: Workbench) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startClockedService(): Promise<ClockedService> {
  // Starts ten minutes before a full hour, so that the test decides when the next hour is published.
  let clockOffsetMs = Math.ceil(Date.now() / hour) * hour + 50 * minute - Date.now();
  const now = (): number => Date.now() + clockOffsetMs;
  let rejectsStress = false;
  const service: CannedService = await startCannedService(({ path, query }, response) => {
    const start = Date.parse(query.get('start') ?? '');
    const end = Date.parse(query.get('end') ?? '');
    const publishedEnd = Math.min(end, Math.floor(now() / hour) * hour);
    const date = { Date: new Date(now()).toUTCString() };
    const isStress = path.includes('stress');
    if (isStress && rejectsStress) sendJson(response, 401, { detail: 'Invalid API key.' }, date);
    else sendJson(response, 200, { data: createRows(start, publishedEnd, isStress) }, date);
  });
  const syncClock = async (workbench: Workbench): Promise<void> => {
    for (let round = 0; round < 2; round++) {
      const requestsBefore = service.receivedRequests.length;
      const range = `last ${30 + 2 * requestsBefore} hours`;
      await runSystemState(workbench, range);
      await until(
        'the time',
        async () => Promise.resolve(service.receivedRequests.length),
        count => count > requestsBefore,
      );
      await waitForTable(workbench, `System state · ${range} · hourly`);
      await workbench.runCommand('View: Close Editor');
    }
  };
  return {
    syncClock,
    baseUrl: service.baseUrl,
    now,
    rejectStress: isRejected => {
      rejectsStress = isRejected;
    },
    requests: () => service.receivedRequests.length,
    stressRequests: () => service.receivedRequests.filter(({ path }) => path.includes('stress')).length,
    async publishNextHour(workbench, command) {
      clockOffsetMs += Math.ceil(now() / hour) * hour + 2 * minute - now();
      await syncClock(workbench);
      await workbench.runCommand(`Grid Data: ${command}`);
      const lastHour = new Date(Math.floor(now() / hour) * hour - hour);
      const month = lastHour.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
      return `${lastHour.getUTCDate()} ${month} ${lastHour.getUTCFullYear()} ${lastHour.toISOString().slice(11, 16)} UTC`;
    },
    close: async () => service.close(),
  };
}

function createRows(start: number, end: number, isStress: boolean): object[] {
  const records: object[] = [];
  for (let ms = start; ms < end; ms += hour)
    records.push({
      ts: new Date(ms).toISOString().replace('.000Z', 'Z'),
      ...(isStress ? { value: 0.72, version: '1.0' } : { residual_demand_mw: 25_000 }),
    });
  return records;
}
