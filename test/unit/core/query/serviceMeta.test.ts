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
    // Without metadata in the response, the connection decides.
    assert.ok(isSandboxData({ sample: true, meta: {} }));
  });

  it('returns false for a service that does not declare it', () => {
    for (const meta of [{}, { meta: { source: 'scada' } }, { source: ['synthetic'] }, { note: 'synthetic' }])
      assert.equal(isSandboxData({ meta }), false, JSON.stringify(meta));
  });
});

describe('the labels of sandbox rows', () => {
  it('labels generated rows as sample data, and rows of files as replayed hours with their source', () => {
    const generated = { meta: { meta: { source: 'synthetic' } } };
    assert.deepEqual([getDataMark(generated), formatDataMark(generated)], ['SAMPLE DATA', 'SAMPLE DATA']);
    assert.equal(formatDataSentence(generated), 'SAMPLE DATA: no grid was measured.');
    // This does not depend on the connection: the built-in sandbox replays nothing, but a joined result may contain both.
    const createReplayed = '2023.csv; its times are moved 104 weeks later';
    const replayed = { sample: true as const, meta: { source: 'replay', replayed_from: createReplayed } };
    assert.deepEqual(
      [getDataMark(replayed), formatDataMark(replayed)],
      ['REPLAYED HOURS', `REPLAYED HOURS (${createReplayed})`],
    );
    assert.match(
      formatDataSentence(replayed) ?? '',
      /^REPLAYED HOURS \(2023\.csv; .*\): measured earlier, and replayed by a sandbox\.$/,
    );
    assert.deepEqual(
      [getDataMark({ meta: {} }), formatDataMark({ meta: {} }), formatDataSentence({ meta: {} })],
      Array(3).fill(undefined),
    );
  });

  it('shortens the name of a source and neutralizes its markup', () => {
    const hostile = `${'x'.repeat(10_000)}\n[a](command:b)\u202e`;
    const text = formatDataMark({ meta: { source: 'replay', replayed_from: hostile } }) ?? '';
    assert.ok(text.length < 230 && !/[\n\u202e]|\]\(/.test(text), text);
    assert.equal(formatDataMark({ meta: { source: 'replay', replayed_from: 5 } }), 'REPLAYED HOURS');
  });
});
