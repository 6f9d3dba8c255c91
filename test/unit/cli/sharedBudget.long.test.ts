import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { root } from '../../../scripts/paths.ts';
import { QueryProcess } from '../../support/queryWindows.ts';
import { startReferenceService, type ReferenceService } from '../../support/referenceService.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { runGrid } from './gridProcess.ts';

const limit = { requests: 10, seconds: 60 };
const queriesOfEach = 9;

/** The days that a process requests, each in a request of its own. */
const listDays = (month: number): string[] =>
  Array.from({ length: queriesOfEach }, (_, index) => `2023-0${month}-${String(2 * index + 1).padStart(2, '0')}`);

describe("three windows, a command line and an MCP server that share a key, under Django REST framework's own throttle", () => {
  let service: ReferenceService;

  before(async function () {
    const started = await startReferenceService();
    if (typeof started === 'string') {
      console.log(`      (${started})`);
      this.skip();
    }
    service = started;
  });
  after(async () => (service as ReferenceService | undefined)?.close());

  it('causes no 429, and uses at least 94 % of what the limit allows', async () => {
    const folder = createTemporaryFolder();
    const { baseUrl, key } = service;
    const windows = ['one', 'two', 'three'].map(name => new QueryProcess({ folder, baseUrl, name, key, limit }));
    const variables = { GRID_DATA_URL: baseUrl, GRID_DATA_API_KEY: key, GRID_DATA_STORAGE: folder };
    try {
      await Promise.all(windows.map(async window => window.waitForMessage('ready')));
      const runWindow = async (window: QueryProcess, month: number): Promise<void> => {
        for (const [index, day] of listDays(month).entries()) {
          window.runQuery(day);
          assert.equal((await window.waitForMessage('done', index + 1)).rows, 24);
        }
      };
      const runCommands = async (month: number): Promise<void> => {
        for (const day of listDays(month)) {
          const { code, stdout, stderr } = await runGrid(['query', '--range', day, '--format', 'csv'], {
            folder: join(folder),
            variables,
          });
          assert.deepEqual([code, stderr, stdout.trimEnd().split('\n').length], [0, '', 25]);
        }
      };
      const runTools = async (month: number): Promise<void> => {
        const args = [join(root, 'src/cli/grid.ts'), 'mcp', '--max-requests', '100'];
        const client = new Client({ name: 'test', version: '1.0.0' });
        await client.connect(new StdioClientTransport({ command: process.execPath, args, env: variables }));
        for (const range of listDays(month)) {
          const input = { name: 'gridData_querySystemState', arguments: { range } };
          const reply = await client.callTool(input, undefined, { timeout: 600_000 });
          assert.match(JSON.stringify(reply.content), /24 rows\./);
        }
        await client.close();
      };
      await Promise.all([
        ...windows.map(async (window, index) => runWindow(window, index + 1)),
        runCommands(4),
        runTools(5),
      ]);
    } finally {
      for (const window of windows) await window.kill();
    }
    const response = await fetch(`${baseUrl}/__control__/log`);
    const { log } = (await response.json()) as { log: { t: number; status: number }[] };
    const count = (windows.length + 2) * queriesOfEach;
    assert.deepEqual(
      log.map(({ status }) => status),
      Array.from({ length: count }, () => 200),
    );
    const times = log.map(({ t }) => t);
    const shortestSeconds = Math.floor((count - 1) / limit.requests) * limit.seconds;
    const share = shortestSeconds / (Math.max(...times) - Math.min(...times));
    assert.ok(share >= 0.94, `${(share * 100).toFixed(1)} %`);
  });
});
