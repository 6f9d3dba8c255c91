import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { ContractTarget } from '../../contract/client.ts';
import { checkContract } from '../../contract/suite.ts';
import { countingBytes } from '../sandbox/fakes.ts';
import { limits, start, texts, waitingClock } from './checks.ts';

describe('contract suite', () => {
  it('passes against the sandbox, clause by clause', async () => {
    const clock = waitingClock();
    const sandbox = await startSandbox({ clock, randomBytes: countingBytes(), delayHours: 2 });
    try {
      const revokedKey = sandbox.createKey('revoked').value;
      sandbox.keys.revoke('revoked');
      const target = { baseUrl: sandbox.baseUrl, key: sandbox.createKey('contract').value, revokedKey, budget: 90 };
      const { results, spent } = await checkContract({ ...target, limits, clock }, { start });
      assert.deepEqual(texts(results, 'broken'), []);
      assert.deepEqual(texts(results, 'not checked'), []);
      assert.ok(results.length >= 30 && spent <= 90, `${results.length} clauses, ${spent} requests`);
    } finally {
      await sandbox.close();
    }
  });

  it('never reaches a rate limit in gentle mode, and stays within a budget', async () => {
    const clock = waitingClock();
    const sandbox = await startSandbox({ clock, randomBytes: countingBytes() });
    try {
      const { value: key, prefix } = sandbox.createKey('contract');
      const target: ContractTarget = { baseUrl: sandbox.baseUrl, key, budget: 8, limits, clock };
      const { results, spent } = await checkContract(target, { start, gentle: true });
      assert.deepEqual(texts(results, 'broken'), []);
      assert.ok(texts(results, 'not checked').some(text => text.endsWith('the budget of requests is spent')));
      const { normalized_data: data, features } = sandbox.usage.getUsage(prefix);
      assert.equal(data.lastHour.refused + features.lastHour.refused, 0);
      assert.equal(data.lastHour.accepted + features.lastHour.accepted, spent);
      assert.equal(spent, 8);
    } finally {
      await sandbox.close();
    }
  });

  it('reports a check without hours as skipped, not as passed', async () => {
    const clock = waitingClock();
    const sandbox = await startSandbox({ clock, randomBytes: countingBytes() });
    try {
      const target = { baseUrl: sandbox.baseUrl, key: sandbox.createKey('contract').value, budget: 90, limits, clock };
      const { results } = await checkContract(target, { start: Date.UTC(1999, 0, 10), gentle: true });
      assert.deepEqual(texts(results, 'broken'), []);
      const unchecked = texts(results, 'not checked').filter(text => text.includes('there are no hours in this range'));
      assert.deepEqual(
        unchecked.map(text => text.split(/[:,]/)[0]),
        [
          'a response is JSON',
          'interval=1d has fewer points than interval=1h',
          'two requests for the same range have the same response',
          'ts is the start of the hour in UTC',
          'a system-state record has all documented fields',
          'net import is imports minus exports',
          'the OCGT ramp is the change from the previous hour',
          'the MW fields of a UTC day are the means of its hours',
          'a stress record has a value and a version',
          'components=true adds the four components',
          'start and end may have an offset such as +02',
        ],
      );
    } finally {
      await sandbox.close();
    }
  });

  it('fails every clause for a service that violates the contract', async () => {
    const server = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const target = { baseUrl, key: 'not-a-real-key', revokedKey: 'revoked-key', budget: 90, limits };
      const { results } = await checkContract({ ...target, clock: waitingClock() }, { start });
      // The service responds to every request with 200, so that only these clauses hold.
      assert.deepEqual(
        results.filter(({ outcome }) => outcome === 'holds').map(({ clause }) => clause.text),
        [
          'with the key in the header X-API-KEY: 200',
          'normalized_data: the limit applies to this scope alone',
          'features: the limit applies to this scope alone',
        ],
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
