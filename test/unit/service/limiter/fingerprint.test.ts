import assert from 'node:assert/strict';
import { createFingerprint } from '../../../../src/service/limiter/sharedLimiter.ts';

describe('createFingerprint', () => {
  it('returns the same fingerprint everywhere, and another for another key or origin', async () => {
    const firstFingerprint = createFingerprint();
    const secondFingerprint = createFingerprint();
    const name = await firstFingerprint('https://a.invalid', 'not-a-real-key');
    assert.match(name, /^[0-9a-f]{40}$/);
    assert.equal(await secondFingerprint('https://a.invalid', 'not-a-real-key'), name);
    assert.notEqual(await firstFingerprint('https://b.invalid', 'not-a-real-key'), name);
    assert.notEqual(await firstFingerprint('https://a.invalid', 'not-a-real-key-2'), name);
  });
});
