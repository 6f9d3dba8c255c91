import assert from 'node:assert/strict';
import { SandboxHost } from '../../../../src/host/sandbox/sandboxHost.ts';

describe('SandboxHost', () => {
  let logLines: string[];
  let host: SandboxHost;
  beforeEach(() => {
    logLines = [];
    const log = (line: string) => void logLines.push(line);
    host = new SandboxHost({ info: log, warn: log, error: log });
  });
  afterEach(() => host.stop());

  const requestStatus = async (baseUrl: string, key: string): Promise<number> => {
    const range = 'start=2023-01-01T00:00:00Z&end=2023-01-01T01:00:00Z';
    return (await fetch(`${baseUrl}/api/v1/grid/system-state?${range}`, { headers: { 'x-api-key': key } })).status;
  };

  it('starts one service with a valid key, even if several callers need it at the same time', async () => {
    assert.equal(host.isRunning, false);
    const [first, second] = await Promise.all([host.ensureRunning(), host.ensureRunning()]);
    assert.equal(first, second);
    assert.equal(host.isRunning, true);
    assert.equal(first.source, 'sandbox synthetic-2-seed-1');
    assert.equal(await requestStatus(first.baseUrl, first.key), 200);
    assert.ok((await host.dashboardLink()).startsWith(`${first.baseUrl}/dashboard?token=`));
  });

  it('starts another service when it is needed after a stop', async () => {
    const { baseUrl } = await host.ensureRunning();
    await host.stop();
    assert.equal(host.isRunning, false);
    await assert.rejects(fetch(`${baseUrl}/healthz`));
    await host.stop();
    const restarted = await host.ensureRunning();
    assert.equal(await requestStatus(restarted.baseUrl, restarted.key), 200);
  });

  it('fires events when it starts and stops, but not if it is already running', async () => {
    const states: boolean[] = [];
    host.onDidChange(() => states.push(host.isRunning));
    await host.ensureRunning();
    await host.ensureRunning();
    await host.stop();
    assert.deepEqual(states, [true, false]);
  });

  it('replaces a revoked key', async () => {
    const { sandbox, baseUrl, key } = await host.ensureRunning();
    sandbox.keys.revoke(key.slice(0, 12));
    assert.equal(await requestStatus(baseUrl, key), 401);
    const renewed = await host.renewKey();
    assert.equal(await requestStatus(baseUrl, renewed), 200);
    assert.equal((await host.ensureRunning()).key, renewed);
  });

  it('does not restart a service that is stopped while a key is renewed', async () => {
    const { baseUrl } = await host.ensureRunning();
    const renewing = host.renewKey();
    const stopping = host.stop();
    const [renewed] = await Promise.all([renewing, stopping]);
    const restarted = await host.ensureRunning();
    assert.notEqual(restarted.baseUrl, baseUrl);
    assert.equal(restarted.key, renewed);
    assert.equal(await requestStatus(restarted.baseUrl, renewed), 200);
  });

  it('does not log keys', async () => {
    const { baseUrl } = await host.ensureRunning();
    await host.renewKey();
    await host.stop();
    assert.deepEqual(logLines, [`sandbox started on ${baseUrl}`, 'sandbox stopped']);
  });
});
