import assert from 'node:assert/strict';
import {
  formatDataSentence,
  getDataMark,
  formatDataMark,
  isSandboxData,
} from '../../../../src/core/query/serviceMeta.ts';

describe('isSandboxData', () => {
  it('returns true for any response of a sandbox, and for the Sample Data connection', () => {
    for (const meta of [
      { meta: { source: 'synthetic' } },
      { meta: { source: 'replay' } },
      { source: 'synthetic', count: 3 },
    ])
      assert.ok(isSandboxData({ meta }), JSON.stringify(meta));
    // The connection decides if a response has no metadata.
    assert.ok(isSandboxData({ sample: true, meta: {} }));
  });

  it('returns false for a service that does not declare it', () => {
    for (const meta of [{}, { meta: { source: 'scada' } }, { source: ['synthetic'] }, { note: 'synthetic' }])
      assert.equal(isSandboxData({ meta }), false, JSON.stringify(meta));
  });
});

describe('the marks of rows of a sandbox', () => {
  it('marks generated rows as sample data, and rows of files as replayed hours with their source', () => {
    const made = { meta: { meta: { source: 'synthetic' } } };
    assert.deepEqual([getDataMark(made), formatDataMark(made)], ['SAMPLE DATA', 'SAMPLE DATA']);
    assert.equal(formatDataSentence(made), 'SAMPLE DATA: no grid was measured.');
    // Independent of the connection: a sandbox inside VS Code replays nothing, but a joined result may have both.
    const from = '2023.csv; its times are moved 104 weeks later';
    const replayed = { sample: true as const, meta: { source: 'replay', replayed_from: from } };
    assert.deepEqual([getDataMark(replayed), formatDataMark(replayed)], ['REPLAYED HOURS', `REPLAYED HOURS (${from})`]);
    assert.match(
      formatDataSentence(replayed) ?? '',
      /^REPLAYED HOURS \(2023\.csv; .*\): measured before, and answered by a sandbox\.$/,
    );
    assert.deepEqual(
      [getDataMark({ meta: {} }), formatDataMark({ meta: {} }), formatDataSentence({ meta: {} })],
      Array(3).fill(undefined),
    );
  });

  it('shortens the name of a source and makes it inert', () => {
    const hostile = `${'x'.repeat(10_000)}\n[a](command:b)\u202e`;
    const text = formatDataMark({ meta: { source: 'replay', replayed_from: hostile } }) ?? '';
    assert.ok(text.length < 230 && !/[\n\u202e]|\]\(/.test(text), text);
    assert.equal(formatDataMark({ meta: { source: 'replay', replayed_from: 5 } }), 'REPLAYED HOURS');
  });
});
