import assert from 'node:assert/strict';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, readHeader, waitForMessage, readRow, runSystemState, waitForTable } from './support.ts';

const hour = 3_600_000;

describe('the archive', () => {
  let workbench: Workbench;
  let service: CannedService;
  const userFolder = createTemporaryFolder();
  /** How the service behaves: `limited` rejects ranges over 62 days. */
  let mode: 'normal' | 'down' | 'limited' = 'normal';

  const storagePath = () => join(workbench.userDataDir, 'User', 'globalStorage', 'grid-data.grid-data-inspector');
  /** Lists the files of the archive. Returns undefined if reading the folder fails because a lock was removed meanwhile. */
  const listArchive = async (): Promise<string[] | undefined> =>
    readdir(join(storagePath(), 'archive'), { recursive: true }).catch(() => undefined);

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const start = Date.parse(query.get('start') ?? '');
      const end = Date.parse(query.get('end') ?? '');
      if (mode === 'down') sendJson(response, 500, { detail: 'boom' });
      else if (mode === 'limited' && end - start > 62 * 24 * hour) {
        sendJson(response, 400, { error: 'bad_request', detail: 'time range must not exceed 1488 hours' });
      } else sendJson(response, 200, { data: createHours(start, Math.min(end, Date.now())) });
    });
    await start();
  });
  disposeAfter(() => [workbench, service]);

  /** Starts VS Code with the same user data. The new browser profile has no connections, so one is added and tested. */
  async function start(): Promise<void> {
    workbench = await startWorkbench({ userDataDir: join(userFolder, 'user'), folder: join(userFolder, 'workspace') });
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Counted');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  }

  it('shows failed hours beside archived ones, reports them as not requested after a reload, and requests only these', async () => {
    await runSystemState(workbench, '2023-05');
    await waitForTable(workbench, 'System state · 2023-05 · hourly');
    mode = 'down';
    const title = 'System state · 2023-05..2023-06 · hourly';
    await runSystemState(workbench, '2023-05..2023-06');
    let frame = await waitForTable(workbench, title);
    const waitForHeader = (part: string): Promise<string> =>
      until(
        `the header "${part}"`,
        () => readHeader(frame),
        text => text.includes(part),
      );
    assert.match(await waitForHeader('720 hours failed'), /744 of 1,464 hours/);
    await workbench.reload();
    frame = await waitForTable(workbench, title);
    await waitForHeader('720 hours not requested: 1 request');
    mode = 'normal';
    await frame.locator('[data-action=fetchMissing]').click();
    await waitForHeader('1,464 rows · 1 request, 744 hours from archive');
    assert.equal(service.receivedRequests.at(-1)?.query.get('start'), '2023-06-01T00:00:00Z');
  });

  it('confirms a run that has to wait, and runs nothing when declined', async () => {
    mode = 'limited';
    await runSystemState(workbench, '2019..2020');
    await workbench.waitTab('2019..2020');
    const frame = await workbench.resultFrame('System state · 2019..2020 · hourly');
    // The first request detects the service's maximum range; the resulting plan needs confirmation.
    const plan = await waitForMessage(frame, 'This needs');
    assert.match(plan, /This needs \d+ requests: \d+ now, \d+ over about/);
    const previousCount = service.receivedRequests.length;
    await frame.locator('[data-action=cancel]').first().click();
    await waitForMessage(frame, 'Query canceled.');
    assert.equal(service.receivedRequests.length, previousCount);
  });

  it('reads hours from the archive after VS Code restarts', async () => {
    mode = 'normal';
    await workbench.dispose();
    await start();
    const previousCount = service.receivedRequests.length;
    await runSystemState(workbench, '2023-05');
    const frame = await waitForTable(workbench, 'System state · 2023-05 · hourly');
    assert.match(await readHeader(frame), /744 rows · 0 requests, 744 hours from archive/);
    assert.equal((await readRow(frame, 2)).at(-1), '2');
    assert.equal(service.receivedRequests.length, previousCount);
  });

  it('requests hours again after the archive is cleared, which needs confirmation', async () => {
    await workbench.runCommand('Grid Data: Clear Archive…');
    assert.match(await workbench.notifications.dialogText(), /Remove all fetched hours from this machine \(\d/);
    await workbench.notifications.pressInDialog('Clear Archive');
    const isYear = (name: string): boolean => name.endsWith('2023.arrow');
    await until('an archive without the year', listArchive, names => names?.some(isYear) === false);
    const previousCount = service.receivedRequests.length;
    await runSystemState(workbench, '2023-05');
    await until(
      'a request, which may have to wait for the rate limit',
      async () => Promise.resolve(service.receivedRequests.length),
      count => count > previousCount,
      90_000,
    );
    const isArchived = (names: readonly string[] = []): boolean =>
      names.some(isYear) && !names.some(name => name.endsWith('.lock'));
    await until('its hours in the archive', listArchive, isArchived);
  });

  it('runs queries without a usable archive, and warns once', async () => {
    const folder = join(storagePath(), 'archive');
    const movedFolder = join(storagePath(), 'archive-moved-away');
    await rename(folder, movedFolder);
    await writeFile(folder, 'in the way');
    const run = async (range: string): Promise<void> => {
      await runSystemState(workbench, range);
      const frame = await waitForTable(workbench, `System state · ${range} · hourly`);
      assert.match(await readHeader(frame), /1 request$/);
    };
    await run('2022-01');
    await workbench.notifications.waitFor('Cannot use the archive folder');
    await workbench.clearNotifications();
    await run('2022-02');
    await workbench.notifications.waitForNone();
    await rm(folder);
    await rename(movedFolder, folder);
  });
});

function createHours(start: number, end: number): { ts: string; residual_demand_mw: number }[] {
  return Array.from({ length: Math.max(0, Math.floor((end - start) / hour)) }, (_, index) => ({
    ts: new Date(start + index * hour).toISOString(),
    residual_demand_mw: index,
  }));
}
