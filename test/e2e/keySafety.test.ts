import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keySpellings, listSpellings, findSpellings } from '../hostile/keySpellings.ts';
import { sendJson, startCannedService, type CannedService, type ReceivedRequest } from '../support/cannedService.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { screenshotFailures } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, waitForMessage, runSystemState, waitForTable } from './support.ts';

const secretKey = 'canary_not_a_real_key_5f1e0d9c8b7a';

describe('API key safety', () => {
  let workbench: Workbench;
  let service: CannedService;
  let otherService: CannedService;
  const folder = createTemporaryFolder();
  let rejects = false;

  before(async () => {
    otherService = await startCannedService((_request, response) => sendJson(response, 200, []));
    service = await startCannedService((request, response) => {
      if (rejects) sendJson(response, 401, { detail: 'Invalid API key.' });
      else if (request.path.startsWith('/nowhere')) sendJson(response, 404, { detail: 'nothing here' });
      else respondWithLeaks(request, response, otherService.baseUrl);
    });
    mkdirSync(join(folder, '.vscode'));
    // A hostile repository could try any spelling of the base URL setting, nested or dotted.
    const baseUrl = otherService.baseUrl;
    writeFileSync(
      join(folder, '.vscode', 'settings.json'),
      JSON.stringify({
        'gridData.baseUrl': baseUrl,
        gridData: { baseUrl, connections: [{ name: 'Canary', baseUrl }] },
        'gridData.connections': [{ name: 'Canary', baseUrl }],
        'http.proxy': '',
      }),
    );
    workbench = await startWorkbench({ folder });
    await addConnection(workbench, service.baseUrl, secretKey, 'Canary');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
  });
  screenshotFailures(() => workbench);
  /** Runs the connection test from the palette. */
  async function testConnection(): Promise<void> {
    await workbench.runCommand('Grid Data Connections: Test');
    await workbench.quickInput.pick('Canary');
  }

  after(async () => {
    await workbench.dispose();
    await service.close();
    await otherService.close();
  });

  it('follows no redirect, no link to another address and no setting of the workspace', async () => {
    await runSystemState(workbench, '2023-01-01');
    await workbench.waitTab('2023-01-01');
    await waitForMessage(await workbench.resultFrame('System state · 2023-01-01 · hourly'), 'redirected the request');
    await runSystemState(workbench, '2023-01-02');
    await workbench.waitTab('2023-01-02');
    const pagedFrame = await workbench.resultFrame('System state · 2023-01-02 · hourly');
    await pagedFrame.locator('[data-action=runPlan]').click();
    await waitForTable(workbench, 'System state · 2023-01-02 · hourly');
    assert.ok(
      service.receivedRequests.some(({ query }) => query.has('page')),
      'the next page was requested from the same service',
    );
    assert.ok(
      service.receivedRequests.every(({ key }) => key === secretKey),
      'the service itself got the key',
    );
    assert.deepEqual(otherService.receivedRequests, []);
  });

  it('hides an API key that the service repeats', async () => {
    await runSystemState(workbench, '2023-01-03');
    await workbench.waitTab('2023-01-03');
    const message = await waitForMessage(
      await workbench.resultFrame('System state · 2023-01-03 · hourly'),
      'rejected the query',
    );
    assert.match(message, /\[key\]/, 'the message contains the text of the service');
    assert.deepEqual(findSpellings(message, secretKey), []);
  });

  it('sends no API key to the page', async () => {
    await runSystemState(workbench, '2023-01-04');
    const frame = await waitForTable(workbench, 'System state · 2023-01-04 · hourly');
    await frame.evaluate(() => {
      const pageTexts: string[] = [];
      Object.assign(globalThis, { seenMessages: pageTexts });
      const page = globalThis as unknown as {
        addEventListener(type: string, react: (event: { data: unknown }) => void): void;
      };
      page.addEventListener('message', event => pageTexts.push(JSON.stringify(event.data)));
    });
    await frame.locator('[data-action=refresh]').click();
    const messages = await until(
      'messages to the page',
      () => frame.evaluate(() => (globalThis as unknown as { seenMessages: string[] }).seenMessages),
      seen => seen.some(text => text.includes('"table"')),
    );
    assert.ok(
      messages.some(text => text.includes('[key]')),
      'the response repeats the key',
    );
    assert.deepEqual(findSpellings(messages.join(), secretKey), []);
    assert.deepEqual(findSpellings(await frame.content(), secretKey), []);
  });

  it('sends no API key to an address that it was not entered for', async () => {
    const { notifications, quickInput } = workbench;
    await addConnection(workbench, `${service.baseUrl}/nowhere`, secretKey, 'Lost');
    await notifications.press('Not found at the service', 'Change Address');
    await quickInput.waitOpen('Address of Lost');
    for (const [address, problem] of [
      ['http://elsewhere.example.org', 'unprotected'],
      ['https://user:word@elsewhere.example.org', 'user name'],
    ] as const) {
      await quickInput.type(address);
      await quickInput.waitMessage(problem);
    }
    await quickInput.type(otherService.baseUrl);
    await quickInput.accept();
    await quickInput.waitOpen('Key for Lost');
    assert.equal(await quickInput.value(), '');
    await quickInput.cancel();
    assert.deepEqual(otherService.receivedRequests, []);
  });

  it('shows when and how a key was rejected, and tries it again on request', async () => {
    rejects = true;
    await runSystemState(workbench, '2023-01-05');
    await workbench.waitTab('2023-01-05');
    const firstFrame = await workbench.resultFrame('System state · 2023-01-05 · hourly');
    await waitForMessage(firstFrame, 'The service rejected this key (401).');
    let sent = service.receivedRequests.length;
    await runSystemState(workbench, '2023-01-06');
    await workbench.waitTab('2023-01-06');
    const frame = await workbench.resultFrame('System state · 2023-01-06 · hourly');
    assert.match(
      await waitForMessage(frame, 'was rejected at'),
      /was rejected at \d.+ UTC \(401\), so no request was sent/,
    );
    assert.equal(service.receivedRequests.length, sent);
    await frame.locator('[data-action=tryAgain]').click();
    await waitForMessage(frame, 'The service rejected this key (401).');
    assert.equal(service.receivedRequests.length, ++sent);

    const tabs = await workbench.editorTabs();
    await testConnection();
    await workbench.notifications.waitFor('Canary: The service rejected this key (401');
    assert.equal(service.receivedRequests.length, ++sent);
    rejects = false;
    await workbench.notifications.press('Canary: The service rejected this key', 'Try Again');
    await workbench.notifications.waitFor("'Canary' works");
    assert.equal(service.receivedRequests.length, ++sent);
    await testConnection();
    await until(
      'the second test',
      () => Promise.resolve(service.receivedRequests.length),
      seen => seen > sent,
    );
    assert.deepEqual(await workbench.editorTabs(), tabs);
  });

  it('writes no API key into the log, an editor or any file', async () => {
    await runSystemState(workbench, '2023-01-04');
    const frame = await waitForTable(workbench, 'System state · 2023-01-04 · hourly');
    await frame.locator('[data-action=openInEditor]').click();
    await workbench.quickInput.pick('JSON');
    const text = await until(
      'JSON',
      () => workbench.activeEditorText(),
      shown => shown.includes('residual_demand_mw'),
    );
    assert.match(text, /\[key\]/, 'the editor shows the fields that repeat the key');
    assert.deepEqual(findSpellings(text, secretKey), []);
    const log = await workbench.outputText('Grid Data', 'GET /api/v1/grid/system-state');
    assert.deepEqual(findSpellings(log, secretKey), []);

    const searchedFolders = [dirname(workbench.userDataDir), folder];
    const filesWithKey = await searchFolders(searchedFolders, listSpellings(secretKey));
    assert.deepEqual(filesWithKey, []);
    assert.ok((await searchFolders(searchedFolders, ['Grid Data'])).length > 0, 'the search finds known text');
  });
});

/** Responds with attempts to leak the key: a redirect, an absolute link to the next page, and an error that repeats the key. */
function respondWithLeaks(request: ReceivedRequest, response: ServerResponse, otherService: string): void {
  const { path, query, key } = request;
  const day = query.get('start')?.slice(0, 10);
  const nextUrl = `${otherService}/api/v1/grid/system-state?page=2`;
  if (query.has('page')) sendJson(response, 200, { results: [] });
  else if (day === '2023-01-01') sendJson(response, 307, {}, { Location: otherService + path });
  else if (day === '2023-01-02')
    sendJson(response, 200, { next: nextUrl, results: [{ ts: '2023-01-02T00:00:00Z', a: 1 }] });
  else if (day === '2023-01-03') sendJson(response, 400, { detail: `bad key ${key ?? ''}` });
  // The response repeats the key in every spelling, as a service in debug mode might.
  else {
    const spellings = keySpellings.map(({ inJson }, index) => `"${index} ${inJson(key ?? '')}":"${inJson(key ?? '')}"`);
    sendJson(response, 200, `[{"ts":"${query.get('start') ?? ''}","residual_demand_mw":1,${spellings.join(',')}}]`);
  }
}

/** Finds the files in the folders that contain one of the texts. Starts again if a file is removed during the search. */
async function searchFolders(folders: readonly string[], texts: readonly string[]): Promise<string[]> {
  const search = async (): Promise<string[]> =>
    Promise.resolve(folders).then(allFolders => allFolders.flatMap(folder => searchFolder(folder, texts)));
  const foundFiles = await until(
    'a search to its end',
    () => search().catch(() => undefined),
    files => files !== undefined,
  );
  return foundFiles ?? [];
}

/** Finds the files in a folder that contain one of the texts. */
function searchFolder(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
    const path = join(folder, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    const bytes = readFileSync(path);
    return texts.some(text => bytes.includes(text));
  });
}
