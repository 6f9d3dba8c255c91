import assert from 'node:assert/strict';
import { hostileResponses } from '../../../hostile/responses.ts';
import { hostileQueriesFiles } from '../../../hostile/queriesFiles.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import {
  readColumn,
  joinLines,
  startInstant,
  hourMs,
  names,
  oneColumn,
  read,
  readErrorMessage,
  formatRow,
  twoColumns,
  values,
} from './portalText.ts';

describe('readPortalFile', () => {
  it('reads the same rows from both layouts of the portal', async () => {
    const oneColumnFile = await read(
      joinLines(oneColumn, formatRow('2022-06-23 12:00:00 AM'), formatRow('2022-06-23 01:00:00 AM')),
    );
    const twoColumnFile = await read(
      joinLines(twoColumns, formatRow('2022-06-23,00:00:00'), formatRow('2022-06-23,01:00:00')),
    );
    assert.deepEqual(oneColumnFile, twoColumnFile);
    assert.deepEqual(oneColumnFile.instants, [startInstant, startInstant + hourMs]);
    assert.deepEqual(oneColumnFile.notes, []);
    assert.deepEqual(
      names.map(name => oneColumnFile.columns.get(name)?.[0]),
      values.map(Number),
    );
  });

  it('rejects files that are not from the portal, with one short sentence', async () => {
    const files = [
      ...hostileResponses.map(({ body, small = body }) => small()),
      ...hostileQueriesFiles.map(({ text }) => text),
      ...hostileTexts.map(({ text }) => text),
    ];
    for (const text of files.filter(({ length }) => length < scaleRunCount(300_000))) {
      await readErrorMessage(text);
      if (/[^\s,]/.test(text)) await readErrorMessage(joinLines(oneColumn, text));
    }
  });

  it('rejects a file with too many columns or too long rows', async () => {
    assert.match(await readErrorMessage(','.repeat(500_000)), /too many columns/);
    assert.match(
      await readErrorMessage(`${oneColumn}\n${'x'.repeat(2_000_000)}`),
      /a row of more than 1 million characters/,
    );
  });

  it('reads decimal commas in quoted cells and between semicolons', async () => {
    const comma = values.map(value => value.replace('.', ','));
    const quoted = comma.map(value => `"${value}"`);
    const expected = await read(joinLines(oneColumn, formatRow('2022-06-23 00:00')));
    for (const text of [
      joinLines(oneColumn, formatRow('2022-06-23 00:00', quoted)),
      joinLines(oneColumn.replaceAll(',', ';'), ['2022-06-23 00:00', ...comma].join(';')),
    ])
      assert.deepEqual(await read(text), expected);
  });

  it('reads empty cells, dashes, NULL and NaN as gaps, not as 0', async () => {
    const gaps = ['', 'NULL', 'NaN', '-', ' ', 'null', '" - "', 'nan', '"\u00a0"'];
    const rows = gaps.map((gap, hour) => formatRow(`2022-06-23 0${hour}:00`, values.with(names.indexOf('Wind'), gap)));
    const wind = await readColumn(joinLines(oneColumn, ...rows), 'Wind');
    assert.deepEqual(
      wind,
      gaps.map(() => Number.NaN),
    );
  });

  it('reads spreadsheet errors as gaps, and reports their number', async () => {
    const errors = ['#N/A', '#VALUE!', '#DIV/0!', '#WERT!', '#NV'];
    const rows = errors.map((error, hour) =>
      formatRow(`2022-06-23 0${hour}:00`, values.with(names.indexOf('Wind'), error)),
    );
    const { columns, notes } = await read(joinLines(oneColumn, ...rows));
    assert.deepEqual(
      [...(columns.get('Wind') ?? [])],
      errors.map(() => NaN),
    );
    assert.deepEqual(notes, ["a.csv: 5 cells of 'wind_mw' without a value: '#N/A' in line 2."]);
    assert.match(
      await readErrorMessage(joinLines(oneColumn, formatRow('2022-06-23 00:00', values.with(0, '####')))),
      /missing column/,
    );
  });

  it("skips Excel's line sep=;, and skips and counts the titles above the header", async () => {
    const semicolons = joinLines(oneColumn.replaceAll(',', ';'), formatRow('2022-06-23 00:00').replaceAll(',', ';'));
    const { notes, ...expected } = await read(semicolons);
    for (const sep of ['sep=;', 'SEP=;', '"sep=;"'])
      assert.deepEqual(await read(joinLines(sep) + semicolons), { ...expected, notes });
    for (const [titles, count] of [
      [['Eskom, Data Portal: hours'], '1 line above the table is'],
      [['sep=;', 'Hours of June', '', 'made, by, hand, in, a, hurry'], '2 lines above the table are'],
    ] as const)
      assert.deepEqual(await read(joinLines(...titles) + semicolons), {
        ...expected,
        notes: [`a.csv: ${count} left out.`],
      });
    const invalid = joinLines(
      'sep=;',
      'Title',
      oneColumn,
      formatRow('2022-06-23 00:00'),
      formatRow('2022-06-23 01:00', ['x']),
    );
    assert.match(await readErrorMessage(invalid), /^a\.csv: The row in line 5 has 2 cells, and the heading 25/);
  });

  it('reads UTF-16 with a Cyrillic title above the header', async () => {
    const expected = await read(joinLines(oneColumn, formatRow('2022-06-23 00:00')));
    for (const mark of ['', '\ufeff']) {
      const little = Buffer.from(
        mark + joinLines('Почасовые данные', oneColumn, formatRow('2022-06-23 00:00')),
        'utf16le',
      );
      for (const bytes of [little, Buffer.from(little).swap16()]) {
        assert.deepEqual(await read(bytes), { ...expected, notes: ['a.csv: 1 line above the table is left out.'] });
      }
    }
  });

  it('reads UTF-16 with and without a byte order mark', async () => {
    const text = joinLines(oneColumn, formatRow('2022-06-23 00:00'));
    const expected = await read(text);
    for (const mark of ['', '\ufeff']) {
      const little = Buffer.from(mark + text, 'utf16le');
      assert.deepEqual(await read(little), expected);
      assert.deepEqual(await read(Buffer.from(little).swap16()), expected);
    }
  });

  it('ignores trailing separators and empty rows', async () => {
    const expected = await read(joinLines(oneColumn, formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00')));
    const rows = [formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00')];
    for (const end of [',', ',,'])
      for (const head of [oneColumn, oneColumn + end])
        assert.deepEqual(
          (await read(joinLines(head, ...rows.map(line => line + end), ','.repeat(25)))).columns,
          expected.columns,
        );
    const lastIsGap = [formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00', values.with(-1, ''))].map(
      line => `${line},`,
    );
    assert.deepEqual(await readColumn(joinLines(oneColumn, ...lastIsGap), 'Total RE'), [837.504, Number.NaN]);
  });

  it('uses the leftmost column if two columns have the same name', async () => {
    const { columns } = await read(
      joinLines(
        `${oneColumn},wind,PV`,
        `${formatRow('2022-06-23 00:00')},820.513,0`,
        `${formatRow('2022-06-23 01:00')},9,0`,
      ),
    );
    assert.deepEqual([...(columns.get('Wind') ?? [])], [820.513, 820.513]);
  });

  for (const [description, text, message] of [
    ['an empty file', '', /^a\.csv: empty; /],
    [
      'a file with only a header',
      joinLines(oneColumn),
      /^a\.csv: there is no time that can be read; |^a\.csv: there are no hours; /,
    ],
    ['a file without a time column', joinLines('Day,Wind', '1,2'), /^a\.csv: missing column "Residual Forecast"/],
    [
      'a missing column',
      joinLines('Date Time Hour Beginning,Wind', 'x,2'),
      /^a\.csv: missing column "Residual Forecast", .* with all columns\.$/,
    ],
    [
      'a word in a column of numbers',
      joinLines(oneColumn, formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00', values.with(0, 'much'))),
      /^a\.csv: 'residual_forecast_mw' is text because of 'much' in line 3; /,
    ],
    [
      'a number that is too large',
      joinLines(oneColumn, formatRow('2022-06-23 00:00', values.with(0, '1e999'))),
      /^a\.csv: 'residual_forecast_mw' is text because of '1e999' in line 2; /,
    ],
    [
      'a column with both decimal commas and decimal points',
      joinLines(oneColumn, formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00', values.with(0, '"21627,1"'))),
      /^a\.csv: 'residual_forecast_mw' is text because of '21627,1' in line 3; /,
    ],
    [
      'a short row',
      joinLines(oneColumn, formatRow('2022-06-23 00:00', values.slice(1))),
      /^a\.csv: The row in line 2 has 24 cells, and the heading 25\. /,
    ],
    [
      'a long row',
      joinLines(oneColumn, formatRow('2022-06-23 00:00', [...values, 'x'])),
      /^a\.csv: The row in line 2 has 26 cells, and the heading 25: /,
    ],
    [
      'rows that are split at unquoted decimal commas',
      joinLines(
        oneColumn,
        formatRow(
          '2022-06-23 00:00',
          values.map(value => value.replace('.', ',')),
        ),
      ),
      /^a\.csv: The row in line 2 has 35 cells, and the heading 25: /,
    ],
    [
      'a number that is split at a decimal comma, in a file with decimal points',
      joinLines(oneColumn, formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00', values.with(5, '21862,3'))),
      /^a\.csv: The row in line 3 has 26 cells, and the heading 25: /,
    ],
    [
      'an additional cell in a file with decimal points',
      joinLines(oneColumn, formatRow('2022-06-23 00:00'), formatRow('2022-06-23 01:00', values.toSpliced(5, 0, '7'))),
      /^a\.csv: The row in line 3 has 26 cells, and the heading 25: /,
    ],
    [
      'an additional cell in a file with decimal commas',
      joinLines(
        oneColumn,
        formatRow(
          '2022-06-23 00:00',
          values.toSpliced(5, 0, '7').map(value => value.replace('.', ',')),
        ),
      ),
      /^a\.csv: The row in line 2 has \d+ cells, and the heading 25: /,
    ],
    [
      'a split number whose total is a decimal number',
      joinLines(
        `${oneColumn},Total UCLF,Total OCLF,Total UCLF+OCLF,Non Comm Sentout`,
        formatRow('2022-06-23 00:00', [...values, '8000', '304,117', '8304.117', '0']),
      ),
      /^a\.csv: The row in line 2 has 30 cells, and the heading 29: /,
    ],
    [
      'a split number whose total is a whole number',
      joinLines(
        `${oneColumn},Total UCLF,Total OCLF,Total UCLF+OCLF,Non Comm Sentout`,
        formatRow('2022-06-23 00:00', [...values, '8000', '304,117', '8304', '0']),
      ),
      /^a\.csv: The row in line 2 has 30 cells, and the heading 29: /,
    ],
  ] as const)
    it(`rejects ${description}, and explains the problem and the solution in one sentence`, async () => {
      const sentence = await readErrorMessage(text);
      assert.match(sentence, message);
      assert.match(sentence, /export the hours again from the Eskom Data Portal|Save the file with another separator/);
    });

  it('explains how to convert an old workbook', async () => {
    const old = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1);
    assert.match(await readErrorMessage(old), /^a\.csv: an old Excel workbook \(save it as \.xlsx or CSV\)/);
  });
});
