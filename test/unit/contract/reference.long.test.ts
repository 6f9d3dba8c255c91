import assert from 'node:assert/strict';
import { checkContract } from '../../contract/suite.ts';
import { startVirtualReference } from '../../support/referenceService.ts';
import { limits, start, texts, waitingClock } from './checks.ts';

describe('contract suite', () => {
  it('passes against the reference service', async function () {
    const reference = await startVirtualReference(Date.UTC(2026, 0, 1));
    if (typeof reference === 'string') {
      console.log(`      (${reference})`);
      this.skip();
    }
    try {
      const clock = waitingClock(async now => reference.setClock(now));
      const target = { baseUrl: reference.baseUrl, key: reference.key, budget: 90 };
      const { results } = await checkContract({ ...target, limits, clock }, { start });
      assert.deepEqual(texts(results, 'broken'), []);
      assert.deepEqual(
        texts(results, 'not checked').map(text => text.split(': ').at(-1)),
        [
          'no revoked key was given',
          'there are no hours of the future; the data is not late now',
          'the service has no /openapi.json',
        ],
      );
    } finally {
      await reference.close();
    }
  });
});
