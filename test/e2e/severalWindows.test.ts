import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { createCodeFolders, writeSettings } from '../../scripts/vscode/folders.ts';
import { installExtensions } from '../../scripts/vscode/placeExtensions.ts';
import { folderUrl, startServer } from '../../scripts/vscode/vscodeServer.ts';
import { startReferenceService, type ReferenceService } from '../support/referenceService.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { waitTimeoutMs, until } from '../support/until.ts';

describe('several windows with one API key', () => {
  let service: ReferenceService | undefined;
  let browser: Browser | undefined;
  /** The path of the server's log. */
  let serverLog = '';
  let disposeServer = (): Promise<void> => Promise.resolve();
  const results = createTemporaryFolder();

  before(async function () {
    const started = await startReferenceService(['--window', '6']);
    if (typeof started === 'string') {
      console.log(`    skipped: ${started}`);
      this.skip();
    }
    service = started;
    const folders = await createCodeFolders({});
    await writeSettings(folders.userData, {});
    installExtensions(folders, join(import.meta.dirname, 'burstExtension'));
    const env = {
      GRID_DATA_BURST_URL: service.baseUrl,
      GRID_DATA_BURST_KEY: service.key,
      GRID_DATA_BURST_FOLDER: results,
    };
    const server = await startServer({ folders, flavour: 'command', env, log: 'burst-server.log' });
    serverLog = server.log;
    disposeServer = async () => {
      await server.dispose();
      await folders.dispose();
    };
    browser = await launchBrowser();
    // Each window has a separate browser context, so the windows share only the folder on disk.
    for (let window = 0; window < 3; window++) {
      const page = await (await browser.newContext()).newPage();
      await page.goto(folderUrl(server, folders.workspace), { timeout: waitTimeoutMs });
    }
  });
  after(async () => {
    await browser?.close();
    await disposeServer();
    await service?.close();
  });

  it('runs 36 queries from three extension hosts without a 429', async () => {
    const files = await until(
      `the three windows to finish (server log: ${serverLog})`,
      async () => Promise.resolve(readdirSync(results).filter(name => name.endsWith('.json'))),
      names => names.length === 3,
      180_000,
    );
    for (const file of files) {
      assert.deepEqual(
        JSON.parse(readFileSync(join(results, file), 'utf8')),
        Array.from({ length: 12 }, () => 1),
      );
    }
    const response = await fetch(`${service?.baseUrl ?? ''}/__control__/log`);
    const { log } = (await response.json()) as { log: { status: number }[] };
    assert.deepEqual(
      log.map(({ status }) => status),
      Array.from({ length: 36 }, () => 200),
    );
  });
});
