import assert from 'node:assert/strict';
import { PortalHeader } from '../../../../src/sandbox/replay/portalColumns.ts';

const header = new PortalHeader(['Total RE', 'Wind', 'PV', 'CSP', 'Other RE']);

describe('PortalHeader', () => {
  it('finds columns whatever the case and punctuation', () => {
    assert.deepEqual([header.place('total_re'), header.place('OTHER RE'), header.place('Gas')], [0, 4, undefined]);
  });

  it('tells rows that add up from others', () => {
    assert.equal(header.addsUp(['10.05', '4', '3', '2', '1']), true);
    assert.equal(header.addsUp(['10.2', '4', '3', '2', '1']), false);
  });

  it('takes no text for a number that fits', () => {
    assert.equal(header.addsUp(['10', '4', '3', 'two', '1']), false);
    assert.equal(header.addsUp(['ten', '4', '3', '2', '1']), false);
  });

  it('takes nothing for no number at all, and not for 0', () => {
    assert.equal(header.addsUp(['9', '4', '3', '2', '']), undefined);
    assert.equal(header.addsUp(['', '0', '0', '0', '0']), undefined);
    assert.equal(header.addsUp(['9', '4', '3', '2']), undefined);
  });
});
