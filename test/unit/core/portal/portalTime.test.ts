import assert from 'node:assert/strict';
import { refusing } from '../../../../src/core/portal/portalCells.ts';
import { readTimes } from '../../../../src/core/portal/portalTime.ts';

const refuse = refusing('a.csv');
const read = (...texts: readonly string[]) =>
  readTimes(
    texts.map((text, at) => ({ line: at + 2, text })),
    refuse,
  );

describe('readTimes', () => {
  it('reads the forms that the portal and spreadsheets write, as South African time', () => {
    for (const text of [
      '2022-06-23 14:00:00',
      '2022-06-23 14:00',
      '2022/06/23 14:00',
      '2022-06-23T14:00:00.000',
      '2022-06-23 02:00:00 PM',
      '2022-06-23 2:00:00 pm',
      '2022-06-23 00:00:00 14:00:00',
      '2022-06-23 14',
      '23/06/2022 14:00',
      '23.06.2022 14:00:00',
      '06/23/2022 14:00',
      '6/23/2022 2:00 PM',
    ])
      assert.deepEqual(read(text).instants, [Date.UTC(2022, 5, 23, 12)], text);
    assert.deepEqual(read('2022-06-23 12:00:00 AM', '2022-06-23 12:00:00 PM').instants, [
      Date.UTC(2022, 5, 22, 22),
      Date.UTC(2022, 5, 23, 10),
    ]);
  });

  it('reads 24:00 as the midnight that ends the day', () => {
    assert.deepEqual(read('2022-06-30 24:00', '2022-12-31 24:00:00').instants, [
      Date.UTC(2022, 5, 30, 22),
      Date.UTC(2022, 11, 31, 22),
    ]);
  });

  it('says so where hours are written from 1 to 24, which mostly name their end', () => {
    const note =
      'hours are written as 1 to 24 and read as beginnings, as the portal names its columns: 24:00 is the first hour of the next day. If they are the ends of hours, all values come an hour late: write the hours as 0 to 23.';
    assert.deepEqual(read('2022-06-30 1', '2022-06-30 24').notes, [note]);
    assert.deepEqual(read('2022-06-30 00:00:00 01:00:00', '2022-06-30 00:00:00 24:00:00').notes, [note]);
    assert.deepEqual(read('2022-06-30 24:00', '2022-06-30 00:00').notes, []);
    assert.deepEqual(read('2022-06-30 12:00 AM', '2022-06-30 23:00').notes, []);
  });

  it('detects the order of day and month from all texts, and reports it', () => {
    const { instants, notes } = read('01/02/2023 00:00', '13/02/2023 00:00');
    assert.deepEqual(instants, [Date.UTC(2023, 0, 31, 22), Date.UTC(2023, 1, 12, 22)]);
    assert.deepEqual(notes, ['dates such as "01/02/2023 00:00" are read with the day first.']);
    assert.deepEqual(read('01/02/2023 00:00', '01/13/2023 00:00').instants, [
      Date.UTC(2023, 0, 1, 22),
      Date.UTC(2023, 0, 12, 22),
    ]);
    assert.deepEqual(read('01/02/2023 00:00', '01/13/2023 00:00').notes, [
      'dates such as "01/02/2023 00:00" are read with the month first.',
    ]);
    assert.deepEqual(read('05/05/2023 00:00').instants, [Date.UTC(2023, 4, 4, 22)]);
    assert.deepEqual(read('2023-05-05 00:00').notes, []);
  });

  it('refuses ambiguous dates, with both readings', () => {
    assert.throws(() => read('05/05/2023 00:00', '01/02/2023 00:00'), {
      message:
        'a.csv, line 3: "01/02/2023 00:00" can be of 2023-02-01 or of 2023-01-02, and no other date of the file tells which; export the hours again from the Eskom Data Portal.',
    });
  });

  it('refuses mixed date orders and invalid dates, with the line', () => {
    assert.throws(
      () => read('23/06/2022 00:00', '06/23/2022 00:00'),
      /^PortalError: a\.csv, line 3: "06\/23\/2022 00:00" is not the beginning of an hour/,
    );
    for (const text of [
      '',
      'today',
      '2022-06-31 14:00',
      '2022-06/23 14:00',
      '2022-06-23',
      '2022-06-23 24:30',
      '2022-06-23 25:00',
      '2022-06-23 13:00 PM',
      '2022-06-23 00:00 AM',
      '2022-06-23 14:30',
      '0022-06-23 14:00',
      '31/31/2022 00:00',
      '23/06/22 14:00',
    ])
      assert.throws(() => read('2022-06-23 14:00', text, '2022-06-23 15:00'), /^PortalError: a\.csv, line 3: /, text);
  });
});
