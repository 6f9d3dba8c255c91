import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';

const { formatSharedWait } = await import('../../../../src/host/messages/waiting.ts');

describe('what a panel says while it waits', () => {
  it('says of hours that another run requests that they are requested, since that may be a panel of the same window', () => {
    assert.equal(formatSharedWait(), 'These hours are already being requested…');
    assert.equal(
      formatSharedWait('3 of 9 parts, 2,208 rows so far.'),
      '3 of 9 parts, 2,208 rows so far. These hours are already being requested…',
    );
  });
});
