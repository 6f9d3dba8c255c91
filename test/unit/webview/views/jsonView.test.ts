import assert from 'node:assert/strict';
import { layOutJson } from '../../../../src/webview/views/jsonView.ts';

const numbers = (count: number) => `[${Array.from({ length: count }, (_, index) => index).join()}]`;

describe('layOutJson', () => {
  it('formats a text, with every digit as received', () => {
    const { blocks, isCut } = layOutJson('{"ts":"2026-11-14T05:00:00Z","value":0.10,"parts":[1.50,{}]}');
    const lines = [
      '{',
      '  "ts": "2026-11-14T05:00:00Z",',
      '  "value": 0.10,',
      '  "parts": [',
      '    1.50,',
      '    {}',
      '  ]',
      '}',
    ];
    assert.equal(blocks.join('\n'), lines.join('\n'));
    assert.equal(isCut, false);
  });

  it('leaves a formatted text unchanged', () => {
    const text = JSON.stringify({ data: [{ ts: 1, deep: { er: [true, null] } }] }, null, 2);
    assert.deepEqual(layOutJson(text), { blocks: [text], isCut: false });
  });

  it('keeps a text whole, in blocks', () => {
    const { blocks, isCut } = layOutJson(numbers(448));
    assert.equal(isCut, false);
    assert.equal(blocks.length, 3);
    assert.deepEqual(JSON.parse(blocks.join('\n')), JSON.parse(numbers(448)));
  });

  it('cuts a long text at a line', () => {
    for (const count of [250_000, 400_000]) {
      const { blocks, isCut } = layOutJson(numbers(count));
      assert.equal(isCut, true);
      assert.ok(blocks.join('\n').length <= 2_000_000);
      assert.match(blocks.at(-1) ?? '', /\d,$/);
    }
  });

  it('cuts a long line with an ellipsis, and draws at most 20,000 characters at once', () => {
    assert.equal(layOutJson(`"${'x'.repeat(1998)}"`).isCut, false);
    const lines = layOutJson(JSON.stringify(Array.from({ length: 30 }, () => 'ش'.repeat(50_000))));
    assert.equal(lines.isCut, true);
    assert.match(lines.blocks[0] ?? '', /^\[\n {2}"ش{1997}…\n/);
    assert.ok(lines.blocks.every(block => block.length <= 20_000));
    assert.equal(layOutJson(`"${'x'.repeat(3_000_000)}`).blocks.join('').length, 2_001);
  });

  it('formats no more nested brackets than it shows', () => {
    const { blocks, isCut } = layOutJson('['.repeat(10_000_000));
    assert.equal(isCut, true);
    assert.ok(blocks.join('\n').length <= 2_000_000);
  });
});
