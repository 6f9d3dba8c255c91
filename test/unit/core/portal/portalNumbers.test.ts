import assert from 'node:assert/strict';
import { readColumn, joinLines, names, oneColumn, read, readRefusal, formatRow, values } from './portalText.ts';

/** Formats whole numbers like Excel, with a separator between thousands. */
function formatThousands(cell: string, mark: string): string {
  return String(Math.round(Number(cell))).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, mark);
}

describe('Total UCLF+OCLF of a portal file, written with a decimal comma', () => {
  const failureNames = ['Total UCLF', 'Total OCLF', 'Total UCLF+OCLF', 'Non Comm Sentout', 'Ingula Gen Unit Hours'];
  const head = [oneColumn, ...failureNames].join();
  const formatTime = (hour: number) => `2022-06-23 0${hour}:00`;

  it('reads unquoted decimal commas next to cells that could be decimals', async () => {
    const text = joinLines(
      head,
      formatRow(formatTime(0), [...values, '8000.5', '304.117', '8304,617', '0', '24.79']),
      formatRow(formatTime(1), [...values, '8000', '304', '8304', '617', '25.1']),
      formatRow(formatTime(2), [...values, '8000', '0', '8000,5', '617', '62']),
    );
    assert.deepEqual(await readColumn(text, 'Total UCLF+OCLF'), [8304.617, 8304, 8000.5]);
    assert.deepEqual(await readColumn(text, 'Non Comm Sentout'), [0, 617, 617]);
    assert.deepEqual(await readColumn(text, 'Ingula Gen Unit Hours'), [24.79, 25.1, 62]);
  });

  it('reads unquoted decimal commas when the last column is empty and rows differ in length', async () => {
    const text = joinLines(
      head,
      formatRow(formatTime(0), [...values, '8000.5', '304.117', '8304,617', '0', '']),
      formatRow(formatTime(1), [...values, '8000', '304', '8304', '617', '']),
    );
    assert.deepEqual(await readColumn(text, 'Total UCLF+OCLF'), [8304.617, 8304]);
    assert.deepEqual(await readColumn(text, 'Non Comm Sentout'), [0, 617]);
    assert.deepEqual(await readColumn(text, 'Ingula Gen Unit Hours'), [Number.NaN, Number.NaN]);
  });

  it('reads quoted decimal commas next to decimal points', async () => {
    const text = joinLines(
      head,
      formatRow(formatTime(0), [...values, '8000.5', '304.117', '"8304,617"', '0', '24.79']),
    );
    assert.deepEqual(await readColumn(text, 'Total UCLF+OCLF'), [8304.617]);
    assert.deepEqual(await readColumn(text, 'Total RE'), [837.504]);
  });
});

describe('thousands separators in a portal file', () => {
  const excel = joinLines(
    oneColumn,
    formatRow(
      '2022-06-23 00:00',
      values.map(value => `"${formatThousands(value, ',')}"`),
    ),
  );
  const german = joinLines(
    oneColumn.replaceAll(',', ';'),
    ['2022-06-23 00:00', ...values.map(value => formatThousands(value, '.'))].join(';'),
  );

  it('rejects ambiguous separators, and names both interpretations', async () => {
    assert.equal(
      await readRefusal(excel),
      "a.csv: '21,627' under 'residual_forecast_mw' in line 2 can be 21627 or 21.627, and no other cell resolves this. Choose the decimal mark in Import Options.",
    );
    assert.match(
      await readRefusal(german),
      /'21\.627' under 'residual_forecast_mw' in line 2 can be 21\.627 or 21627, and/,
    );
  });

  it('applies the interpretation of an unambiguous cell to the whole file', async () => {
    const unambiguous = excel.replace('"1,468"', '"1,468.0"');
    assert.deepEqual(await readColumn(unambiguous, 'Thermal Generation'), [21_862]);
    const blanks = values.map(value => formatThousands(value, '\u00a0') + ',5');
    const text = joinLines(oneColumn.replaceAll(',', ';'), ['2022-06-23 00:00', ...blanks].join(';'));
    assert.deepEqual(await readColumn(text, 'Thermal Generation'), [21_862.5]);
    assert.deepEqual(await readColumn(Buffer.from(text, 'latin1'), 'Thermal Generation'), [21_862.5]);
  });
});

describe('a column of a portal file whose numbers could be thousands', () => {
  const column = names.indexOf('International Exports');
  const createRows = (cells: readonly string[]) =>
    cells.map((cell, hour) => formatRow(`2022-06-23 0${hour}:00`, values.with(column, cell)));

  it('uses the decimal separator of the other columns', async () => {
    const commas = values.map(value => value.replace('.', ','));
    const lines = ['1,347', '70,513'].map((cell, hour) =>
      [`2022-06-23 0${hour}:00`, ...commas.with(column, cell)].join(';'),
    );
    const text = joinLines(oneColumn.replaceAll(',', ';'), ...lines);
    assert.deepEqual(await readColumn(text, 'International Exports'), [1.347, 70.513]);
    assert.deepEqual(
      await readColumn(joinLines(oneColumn, ...createRows(['1.347', '908'])), 'International Exports'),
      [1.347, 908],
    );
  });

  it('rejects a column with both interpretations, if no cell of the file has a thousands separator', async () => {
    for (const cells of [
      ['1246.934', '"246,934"'],
      ['"246,934"', '846.5'],
      ['908', '"246,934"'],
    ])
      assert.match(
        await readRefusal(joinLines(oneColumn, ...createRows(cells))),
        /^a\.csv: '246,934' under 'exports_mw' in line \d can be 246934 or 246\.934, and no other cell resolves/,
      );
    const semicolons = createRows(['1246.934', '246,934']).map(line =>
      line.replaceAll(/[.,]/g, mark => (mark === ',' ? ';' : ',')),
    );
    semicolons[1] = semicolons[1]?.replace('246;934', '246.934') ?? '';
    assert.match(
      await readRefusal(joinLines(oneColumn.replaceAll(',', ';'), ...semicolons)),
      /^a\.csv: '246\.934' under 'exports_mw' in line 3 can be 246\.934 or 246934, and/,
    );
  });

  it('reads thousands if other cells of the file have such a separator', async () => {
    const text = joinLines(oneColumn, ...createRows(['"1,246.934"', '"1,246"']));
    assert.deepEqual(await readColumn(text, 'International Exports'), [1246.934, 1246]);
  });

  it('reads three decimals in each cell as decimals, if a column has no other cells', async () => {
    const fixed = [...values, '62.4', '25.4'].map(value => Number(value).toFixed(3));
    const head = [oneColumn, 'Drakensberg Gen Unit Hours', 'Palmiet Gen Unit Hours'].join();
    const text = joinLines(head, formatRow('2022-06-23 00:00', fixed));
    assert.deepEqual(await readColumn(text, 'Drakensberg Gen Unit Hours'), [62.4]);
    assert.deepEqual((await read(text)).notes, []);
    const grouped = fixed.map(cell => `"${cell.replace(/(?<=\d)(?=\d{3}\.)/, ',')}"`);
    const hours = await readColumn(
      joinLines(head, formatRow('2022-06-23 00:00', grouped)),
      'Drakensberg Gen Unit Hours',
    );
    assert.deepEqual(hours, [62.4]);
  });
});
