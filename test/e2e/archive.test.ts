import assert from 'node:assert/strict';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { endsAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, headerOf, messageOf, rowOf, runSystemState, tableOf } from './support.ts';

const hour = 3_600_000;

describe('the archive', () => {
  let workbench: Workbench;
  let service: CannedService;
  const home = temporaryFolder();
  /** How the service behaves now. */
  let mode: 'well' | 'down' | 'short' = 'well';

  const storage = () => join(workbench.userDataDir, 'User', 'globalStorage', 'grid-data.grid-data-inspector');
  /** The files of the archive; undefined where a lock went away while the folder was read, which makes the reading fail. */
  const archived = async (): Promise<string[] | undefined> =>
    readdir(join(storage(), 'archive'), { recursive: true }).catch(() => undefined);

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
      if (mode === 'down') sendJson(response, 500, { detail: 'boom' });
      else if (mode === 'short' && end - start > 62 * 24 * hour) {
        sendJson(response, 400, { error: 'bad_request', detail: 'time range must not exceed 1488 hours' });
      } else sendJson(response, 200, { data: hoursBetween(start, Math.min(end, Date.now())) });
    });
    await start();
  });
  endsAfter(() => [workbench, service]);

  /** VS Code on the person's folders. The browser is a new one, which knows no connection: it is added, and tried. */
  async function start(): Promise<void> {
    workbench = await startWorkbench({ userDataDir: join(home, 'user'), folder: join(home, 'workspace') });
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Counted');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
  }

  it('shows failed hours beside archived ones, after a reload as not requested, and requests only these', async () => {
    await runSystemState(workbench, '2023-05');
    await tableOf(workbench, 'System state · 2023-05 · hourly');
    mode = 'down';
    const title = 'System state · 2023-05..2023-06 · hourly';
    await runSystemState(workbench, '2023-05..2023-06');
    let frame = await tableOf(workbench, title);
    const says = (part: string): Promise<string> =>
      until(
        `the header "${part}"`,
        () => headerOf(frame),
        text => text.includes(part),
      );
    assert.match(await says('720 hours failed'), /744 of 1,464 hours/);
    await workbench.reload();
    frame = await tableOf(workbench, title);
    await says('720 hours not requested: 1 request');
    mode = 'well';
    await frame.locator('[data-action=fetchMissing]').click();
    await says('1,464 rows · 1 request, 744 hours from archive');
    assert.equal(service.seen.at(-1)?.query.get('start'), '2023-06-01T00:00:00Z');
  });

  it('confirms a run that has to wait, and runs nothing when declined', async () => {
    mode = 'short';
    await runSystemState(workbench, '2019..2020');
    await workbench.waitTab('2019..2020');
    const frame = await workbench.resultFrame('System state · 2019..2020 · hourly');
    // The first request finds out what the service takes: then the plan is known, and has to be agreed to.
    const plan = await messageOf(frame, 'This needs');
    assert.match(plan, /This needs \d+ requests: \d+ now, \d+ over about/);
    const before = service.seen.length;
    await frame.locator('[data-action=cancel]').first().click();
    await messageOf(frame, 'Query canceled.');
    assert.equal(service.seen.length, before);
  });

  it('reads hours from the archive after VS Code restarts', async () => {
    mode = 'well';
    await workbench.dispose();
    await start();
    const before = service.seen.length;
    await runSystemState(workbench, '2023-05');
    const frame = await tableOf(workbench, 'System state · 2023-05 · hourly');
    assert.match(await headerOf(frame), /744 rows · 0 requests, 744 hours from archive/);
    assert.equal((await rowOf(frame, 2)).at(-1), '2');
    assert.equal(service.seen.length, before);
  });

  it('requests hours again after the archive is cleared, which needs confirmation', async () => {
    await workbench.runCommand('Grid Data: Clear Archive…');
    assert.match(await workbench.notifications.dialogText(), /Remove all fetched hours from this machine \(\d/);
    await workbench.notifications.pressInDialog('Clear Archive');
    const isYear = (name: string): boolean => name.endsWith('2023.arrow');
    await until('an archive without the year', archived, names => names?.some(isYear) === false);
    const before = service.seen.length;
    await runSystemState(workbench, '2023-05');
    await until(
      'a request, which may have to wait for the budget',
      async () => Promise.resolve(service.seen.length),
      count => count > before,
      90_000,
    );
    const isKept = (names: readonly string[] = []): boolean =>
      names.some(isYear) && !names.some(name => name.endsWith('.lock'));
    await until('its hours in the archive', archived, isKept);
  });

  it('runs queries without a usable archive, and warns once', async () => {
    const [folder, aside] = [join(storage(), 'archive'), join(storage(), 'archive-moved-away')];
    await rename(folder, aside);
    await writeFile(folder, 'in the way');
    const run = async (range: string): Promise<void> => {
      await runSystemState(workbench, range);
      const frame = await tableOf(workbench, `System state · ${range} · hourly`);
      assert.match(await headerOf(frame), /1 request$/);
    };
    await run('2022-01');
    await workbench.notifications.waitFor('Cannot use the archive folder');
    await workbench.clearNotifications();
    await run('2022-02');
    await workbench.notifications.none();
    await rm(folder);
    await rename(aside, folder);
  });
});

function hoursBetween(start: number, end: number): { ts: string; residual_demand_mw: number }[] {
  return Array.from({ length: Math.max(0, Math.floor((end - start) / hour)) }, (_, index) => ({
    ts: new Date(start + index * hour).toISOString(),
    residual_demand_mw: index,
  }));
}
