import assert from 'node:assert/strict';
import { Harness, call } from './harness.ts';

describe('a page shared by view tests', () => {
  it('keeps nothing of the previous test in the same window', async () => {
    const harness = new Harness();
    const first = await harness.open({ context: { viewport: { width: 420, height: 300 } } });
    await call(first, 'show', 'long');
    await first.locator('[data-action=refresh]').hover();
    await first.evaluate("sessionStorage.setItem('left', 'here'); localStorage.setItem('left', 'here')");
    await harness.close(first);
    const second = await harness.open();
    assert.equal(second, first);
    const left = await second.evaluate(`[
      ...Object.keys(sessionStorage), ...Object.keys(localStorage), innerWidth, document.querySelectorAll(':hover').length,
    ]`);
    assert.deepEqual(left, ['opened', 1100, 0]);
    assert.deepEqual(await call(second, 'acts'), []);
    await harness.close(second);
    await harness.stop();
  });
});
