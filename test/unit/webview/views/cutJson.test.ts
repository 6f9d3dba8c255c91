import assert from 'node:assert/strict';
import { cutJson } from '../../../../src/webview/views/cutJson.ts';

describe('cutJson', () => {
  it('keeps a text whole, in blocks', () => {
    const text = Array.from({ length: 450 }, (_, line) => `line ${line}`).join('\n');
    const { blocks, cut } = cutJson(text);
    assert.equal(cut, false);
    assert.equal(blocks.length, 3);
    assert.equal(blocks.join('\n'), text);
  });

  it('ends a long text at a line, and a long line at the limit', () => {
    const { blocks, cut } = cutJson('0123456789\n'.repeat(300_000));
    assert.equal(cut, true);
    assert.ok(blocks.join('\n').length <= 2_000_000);
    assert.ok(blocks.at(-1)?.endsWith('9'));
    assert.equal(cutJson('x'.repeat(3_000_000)).blocks.join('').length, 2_000_000);
  });
});
