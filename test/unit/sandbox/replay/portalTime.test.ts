import assert from 'node:assert/strict';
import { parsePortalTime } from '../../../../src/sandbox/replay/portalTime.ts';

describe('parsePortalTime', () => {
  it('reads the forms the portal writes, as SAST', () => {
    for (const text of [
      '2022-06-23 14:00:00',
      '2022-06-23 14:00',
      '2022/06/23 14:00',
      '2022-06-23T14:00:00.000',
      '2022-06-23 02:00:00 PM',
      '2022-06-23 2:00:00 pm',
    ])
      assert.equal(parsePortalTime(text), Date.UTC(2022, 5, 23, 12), text);
    assert.equal(parsePortalTime('2022-06-23 12:00:00 AM'), Date.UTC(2022, 5, 22, 22));
    assert.equal(parsePortalTime('2022-06-23 12:00:00 PM'), Date.UTC(2022, 5, 23, 10));
  });

  it('guesses nothing', () => {
    for (const text of [
      '',
      '23/06/2022 14:00',
      '06-23-2022 14:00',
      '2022-06-31 14:00',
      '2022-06/23 14:00',
      '2022-06-23',
      '2022-06-23 24:00',
      '2022-06-23 13:00 PM',
      '2022-06-23 00:00 AM',
    ])
      assert.equal(parsePortalTime(text), undefined, text);
  });
});
