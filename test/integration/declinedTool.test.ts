import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findDataset } from '../../src/core/query/catalogue.ts';
import type { Connection } from '../../src/core/connections/connection.ts';
import { systemClock as clock } from '../../src/host/systemPorts.ts';
import { QueryTool } from '../../src/host/tools/queryTool.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/embedded.ts';
import type { Connections } from '../../src/service/connections/connections.ts';
import { ConnectionEndpoints } from '../../src/service/connections/connectionEndpoints.ts';
import { AgentAllowance } from '../../src/service/limiter/agentAllowance.ts';
import { QueryEngine } from '../../src/service/query/queryEngine.ts';
import { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';
import { RequestPricing } from '../../src/service/query/requestPricing.ts';
import { createDiskWindow } from '../support/diskWindow.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const dataset = findDataset('systemState');
assert.ok(dataset);
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('a language model tool with a running service', () => {
  let sandbox: RunningSandbox;

  before(async () => (sandbox = await startSandbox()));
  after(async () => sandbox.close());

  it('shows the price of a tool call without a request, and sends none when declined', async () => {
    const { value: key } = sandbox.createKey('declined');
    const connection: Connection = {
      id: 'one',
      name: 'Declined',
      service: 'other',
      baseUrl: sandbox.baseUrl,
      keyPrefix: 'sb_test_',
      state: 'works',
    };
    const connections = {
      active: () => connection,
      findByName: () => connection,
      findById: () => connection,
      list: () => [connection],
      getKey: async () => Promise.resolve(key),
      mark: async () => Promise.resolve(),
    } as unknown as Connections;
    const fingerprint = async (): Promise<string> => Promise.resolve('0123abcd');
    const { deps, limiter } = createDiskWindow({
      folder: createTemporaryFolder(),
      name: 'one',
      clock,
      logger,
      fingerprint,
    });
    const noSandbox = { isRunning: false, ensureRunning: async () => Promise.reject(new Error('not asked')) };
    const endpoints = new ConnectionEndpoints({
      connections,
      sandbox: noSandbox,
      limiter,
      log: logger,
      serviceClock: clock,
      client: { get: async () => Promise.reject(new Error('not tested')) },
    });
    const engine = new QueryEngine({ ...deps, endpoints });
    const pricing = new RequestPricing({ endpoints, engine, limiter, sandbox: noSandbox });
    const tool = new QueryTool(dataset, {
      connections,
      engine,
      pricing,
      nowAt: endpoints.nowAt,
      allowance: new AgentAllowance({
        path: join(createTemporaryFolder(), 'agents', 'agents.json'),
        clock,
        random: Math.random,
        maxPerHour: () => 5,
      }),
      getSource: endpoints.getSource.bind(endpoints),
      readers: new ReaderProcesses(),
      uriScheme: 'vscode',
    });
    const input = { range: '2023-04-03..2023-04-05' };

    const firstPreparation = await tool.prepare(input);
    assert.equal(firstPreparation.confirmationMessages?.title, 'Allow the agent to send 1 request?');
    assert.match(firstPreparation.confirmationMessages.message, /, Declined\. This needs 1 request of the 10 left\.$/);
    assert.equal(lastUsed('declined'), undefined);

    await engine.run(resolvedDay(), connection).result;
    await engine.waitForWrites();
    const second = await tool.prepare(input);
    assert.match(
      second.confirmationMessages?.message ?? '',
      /This needs 1 request of the 9 left\. 24 of 72 hours are in the archive\.$/,
    );
    const { text } = await tool.invoke(input, new AbortController().signal);
    assert.match(text, /Requests spent: 1; intervals from the archive: 24;/);
  });

  function lastUsed(name: string): number | undefined {
    const key = sandbox.keys.list().find(known => known.name === name);
    assert.ok(key);
    return key.lastUsed;
  }

  function resolvedDay(): Parameters<QueryEngine['run']>[0] {
    assert.ok(dataset);
    const start = Date.UTC(2023, 3, 3);
    const day = { start, end: start + 24 * 3_600_000, intervalMs: 3_600_000, interval: '1h' };
    return { dataset, ...day, params: {}, range: '2023-04-03', timeZone: 'UTC' };
  }
});
