import assert from 'node:assert/strict';
import {
  formatDataSentence,
  getDataMark,
  formatDataMark,
  isSandboxData,
} from '../../../../src/core/query/serviceMeta.ts';

describe('isSandboxData', () => {
  it('returns true for responses of a sandbox, and for the Sample Data connection', () => {
    for (const meta of [
      { meta: { source: 'synthetic' } },
      { meta: { source: 'replay' } },
      { source: 'synthetic', count: 3 },
    ])
      assert.ok(isSandboxData({ meta }), JSON.stringify(meta));
    // The Sample Data connection counts even if the response has no metadata.
    assert.ok(isSandboxData({ sample: true, meta: {} }));
  });

  it('returns false for a service that does not declare its data as synthetic or replayed', () => {
    for (const meta of [{}, { meta: { source: 'scada' } }, { source: ['synthetic'] }, { note: 'synthetic' }])
      assert.equal(isSandboxData({ meta }), false, JSON.stringify(meta));
  });
});

describe('getDataMark, formatDataMark and formatDataSentence', () => {
  it('return SAMPLE DATA for generated rows, and REPLAYED HOURS with their source for rows of files', () => {
    const generated = { meta: { meta: { source: 'synthetic' } } };
    assert.deepEqual([getDataMark(generated), formatDataMark(generated)], ['SAMPLE DATA', 'SAMPLE DATA']);
    assert.equal(formatDataSentence(generated), 'SAMPLE DATA: no grid was measured.');
    // The label depends on the metadata, even for the Sample Data connection.
    const replayedFrom = '2023.csv; its times are moved 104 weeks later';
    const replayed = { sample: true as const, meta: { source: 'replay', replayed_from: replayedFrom } };
    assert.deepEqual(
      [getDataMark(replayed), formatDataMark(replayed)],
      ['REPLAYED HOURS', `REPLAYED HOURS (${replayedFrom})`],
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

  it('shorten the name of a source and make its markup harmless', () => {
    const hostile = `${'x'.repeat(10_000)}\n[a](command:b)\u202e`;
    const text = formatDataMark({ meta: { source: 'replay', replayed_from: hostile } }) ?? '';
    assert.ok(text.length < 230 && !/[\n\u202e]|\]\(/.test(text), text);
    assert.equal(formatDataMark({ meta: { source: 'replay', replayed_from: 5 } }), 'REPLAYED HOURS');
  });
});
