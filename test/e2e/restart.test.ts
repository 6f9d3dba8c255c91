import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { pictureFailures } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { patienceMs, until } from './harness/waiting.ts';
import { Workbench } from './harness/workbench.ts';
import { addConnection, headerOf, rowOf, runSystemState, tableOf } from './support.ts';

const hour = 3_600_000;
const title = 'System state · 2023-05 · hourly';

describe('archived hours after a restart', () => {
  let service: CannedService;
  let workbench: Workbench | undefined;
  let home: string;

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'grid-data-restart-'));
    service = await startCannedService(({ query }, response) => {
      const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
      const hours = Math.max(0, Math.floor((Math.min(end, Date.now()) - start) / hour));
      const data = Array.from({ length: hours }, (_, index) => ({
        ts: new Date(start + index * hour).toISOString(),
        residual_demand_mw: index,
      }));
      sendJson(response, 200, { data });
    });
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench?.dispose();
    await service.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  /** VS Code on the person's folders; the browser is a new one, which knows no connection: it is added, and tried. */
  async function start(): Promise<Workbench> {
    const started = await startWorkbench({ userDataDir: join(home, 'user'), folder: join(home, 'workspace') });
    workbench = started;
    await connect(started);
    return started;
  }

  async function connect(window: Workbench): Promise<void> {
    await addConnection(window, service.baseUrl, 'not-a-real-key', 'Canned');
    await tableOf(window, 'System state · last 24 hours · hourly');
  }

  /** Runs the query of the month; resolves to its header line and the requests that it took. */
  async function runMonth(window: Workbench): Promise<{ header: string; requests: number; row: string[] }> {
    const before = service.seen.length;
    await runSystemState(window, '2023-05');
    const frame = await tableOf(window, title);
    const header = await headerOf(frame);
    return { header, requests: service.seen.length - before, row: await rowOf(frame, 2) };
  }

  it('requests archived hours only once', async () => {
    const { header, requests } = await runMonth(await start());
    assert.equal(requests, 1);
    assert.match(header, /744 rows · 1 request/);
    // Rows are shown before the disk has them.
    // A lock that goes away while the folder is read makes the reading fail.
    const files = async (): Promise<string[]> => readdir(home, { recursive: true }).catch(() => []);
    await until('the file of the month', files, names => names.some(name => basename(name) === '2023-05.arrow'));
  });

  it('reads hours from the archive after VS Code restarts', async () => {
    await workbench?.dispose();
    workbench = undefined;
    const { header, requests, row } = await runMonth(await start());
    assert.equal(requests, 0);
    assert.match(header, /744 rows · 0 requests, 744 hours from archive/);
    assert.ok(row.includes('2'), row.join(' | '));
  });

  it('reads hours from the archive in a second window with its own extension host', async () => {
    assert.ok(workbench);
    const browser = workbench.page.context().browser();
    assert.ok(browser);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(patienceMs);
    const { folder, userDataDir, page: first } = workbench;
    const second = new Workbench({
      page,
      folder,
      userDataDir,
      url: first.url(),
      settings: {},
      dispose: () => page.context().close(),
    });
    try {
      await second.open();
      await connect(second);
      const { header, requests, row } = await runMonth(second);
      assert.equal(requests, 0);
      assert.match(header, /744 rows · 0 requests, 744 hours from archive/);
      assert.ok(row.includes('2'), row.join(' | '));
    } catch (error) {
      await second.screenshot('failed-second-window');
      throw error;
    } finally {
      await second.dispose();
    }
  });
});
