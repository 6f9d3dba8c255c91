import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';

const { formatSharedWait } = await import('../../../../src/host/messages/waiting.ts');

describe('the message of a waiting panel', () => {
  it('states that another run requests the hours, without naming a window, since it may be the same one', () => {
    assert.equal(formatSharedWait(), 'These hours are already being requested…');
    assert.equal(
      formatSharedWait('3 of 9 parts, 2,208 rows so far.'),
      '3 of 9 parts, 2,208 rows so far. These hours are already being requested…',
    );
  });
});
