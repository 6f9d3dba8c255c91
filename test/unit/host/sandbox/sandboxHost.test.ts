import assert from 'node:assert/strict';
import { SandboxHost } from '../../../../src/host/sandbox/sandboxHost.ts';

describe('SandboxHost', () => {
  let logged: string[];
  let host: SandboxHost;
  beforeEach(() => {
    logged = [];
    const log = (line: string) => void logged.push(line);
    host = new SandboxHost({ info: log, warn: log, error: log });
  });
  afterEach(() => host.stop());

  const statusWith = async (baseUrl: string, key: string): Promise<number> => {
    const range = 'start=2023-01-01T00:00:00Z&end=2023-01-01T01:00:00Z';
    return (await fetch(`${baseUrl}/api/v1/grid/system-state?${range}`, { headers: { 'x-api-key': key } })).status;
  };

  it('starts one service on first use, for any number of callers, with a valid key', async () => {
    assert.equal(host.isRunning, false);
    const [first, second] = await Promise.all([host.ensureRunning(), host.ensureRunning()]);
    assert.equal(first, second);
    assert.equal(host.isRunning, true);
    assert.equal(first.source, 'sandbox synthetic-2-seed-1');
    assert.equal(await statusWith(first.baseUrl, first.key), 200);
    assert.ok((await host.dashboardLink()).startsWith(`${first.baseUrl}/dashboard?token=`));
  });

  it('stops the service, and starts another on the next use', async () => {
    const { baseUrl } = await host.ensureRunning();
    await host.stop();
    assert.equal(host.isRunning, false);
    await assert.rejects(fetch(`${baseUrl}/healthz`));
    await host.stop();
    const again = await host.ensureRunning();
    assert.equal(await statusWith(again.baseUrl, again.key), 200);
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
    assert.equal(await statusWith(baseUrl, key), 401);
    const renewed = await host.renewKey();
    assert.equal(await statusWith(baseUrl, renewed), 200);
    assert.equal((await host.ensureRunning()).key, renewed);
  });

  it('restarts no service that was stopped while a key was created', async () => {
    const { baseUrl } = await host.ensureRunning();
    const renewing = host.renewKey();
    const stopping = host.stop();
    const [renewed] = await Promise.all([renewing, stopping]);
    const now = await host.ensureRunning();
    assert.notEqual(now.baseUrl, baseUrl);
    assert.equal(now.key, renewed);
    assert.equal(await statusWith(now.baseUrl, renewed), 200);
  });

  it('writes no key into its log', async () => {
    const { baseUrl } = await host.ensureRunning();
    await host.renewKey();
    await host.stop();
    assert.deepEqual(logged, [`sandbox started on ${baseUrl}`, 'sandbox stopped']);
  });
});
