import assert from 'node:assert/strict';
import { columnOf, fileOf, names, oneColumn, read, refusalOf, row, values } from './portalText.ts';

/** As Excel writes whole numbers, with a mark between thousands. */
function thousands(cell: string, mark: string): string {
  return String(Math.round(Number(cell))).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, mark);
}

describe('Total UCLF+OCLF of a portal file, written with a decimal comma', () => {
  const own = ['Total UCLF', 'Total OCLF', 'Total UCLF+OCLF', 'Non Comm Sentout', 'Ingula Gen Unit Hours'];
  const head = [oneColumn, ...own].join();
  const time = (hour: number) => `2022-06-23 0${hour}:00`;

  it('reads unquoted decimal commas beside cells that could be decimals', async () => {
    const text = fileOf(
      head,
      row(time(0), [...values, '8000.5', '304.117', '8304,617', '0', '24.79']),
      row(time(1), [...values, '8000', '304', '8304', '617', '25.1']),
      row(time(2), [...values, '8000', '0', '8000,5', '617', '62']),
    );
    assert.deepEqual(await columnOf(text, 'Total UCLF+OCLF'), [8304.617, 8304, 8000.5]);
    assert.deepEqual(await columnOf(text, 'Non Comm Sentout'), [0, 617, 617]);
    assert.deepEqual(await columnOf(text, 'Ingula Gen Unit Hours'), [24.79, 25.1, 62]);
  });

  it('reads unquoted decimal commas when the last column is empty and rows differ in length', async () => {
    const text = fileOf(
      head,
      row(time(0), [...values, '8000.5', '304.117', '8304,617', '0', '']),
      row(time(1), [...values, '8000', '304', '8304', '617', '']),
    );
    assert.deepEqual(await columnOf(text, 'Total UCLF+OCLF'), [8304.617, 8304]);
    assert.deepEqual(await columnOf(text, 'Non Comm Sentout'), [0, 617]);
    assert.deepEqual(await columnOf(text, 'Ingula Gen Unit Hours'), [Number.NaN, Number.NaN]);
  });

  it('reads quoted decimal commas beside decimal points', async () => {
    const text = fileOf(head, row(time(0), [...values, '8000.5', '304.117', '"8304,617"', '0', '24.79']));
    assert.deepEqual(await columnOf(text, 'Total UCLF+OCLF'), [8304.617]);
    assert.deepEqual(await columnOf(text, 'Total RE'), [837.504]);
  });
});

describe('thousands separators in a portal file', () => {
  const excel = fileOf(
    oneColumn,
    row(
      '2022-06-23 00:00',
      values.map(value => `"${thousands(value, ',')}"`),
    ),
  );
  const german = fileOf(
    oneColumn.replaceAll(',', ';'),
    ['2022-06-23 00:00', ...values.map(value => thousands(value, '.'))].join(';'),
  );

  it('refuses ambiguous separators, with both readings', async () => {
    assert.equal(
      await refusalOf(excel),
      "a.csv: '21,627' under 'residual_forecast_mw' in line 2 can be 21627 or 21.627, and no other cell tells which. Choose the decimal mark in Import Options.",
    );
    assert.match(
      await refusalOf(german),
      /'21\.627' under 'residual_forecast_mw' in line 2 can be 21\.627 or 21627, and/,
    );
  });

  it('applies one unambiguous cell to the whole file', async () => {
    const told = excel.replace('"1,468"', '"1,468.0"');
    assert.deepEqual(await columnOf(told, 'Thermal Generation'), [21_862]);
    const blanks = values.map(value => thousands(value, '\u00a0') + ',5');
    const text = fileOf(oneColumn.replaceAll(',', ';'), ['2022-06-23 00:00', ...blanks].join(';'));
    assert.deepEqual(await columnOf(text, 'Thermal Generation'), [21_862.5]);
    assert.deepEqual(await columnOf(Buffer.from(text, 'latin1'), 'Thermal Generation'), [21_862.5]);
  });
});

describe('a column of a portal file that can be in thousands', () => {
  const at = names.indexOf('International Exports');
  const rowsWith = (cells: readonly string[]) =>
    cells.map((cell, hour) => row(`2022-06-23 0${hour}:00`, values.with(at, cell)));

  it('has the decimal mark of the other columns', async () => {
    const commas = values.map(value => value.replace('.', ','));
    const lines = ['1,347', '70,513'].map((cell, hour) =>
      [`2022-06-23 0${hour}:00`, ...commas.with(at, cell)].join(';'),
    );
    const text = fileOf(oneColumn.replaceAll(',', ';'), ...lines);
    assert.deepEqual(await columnOf(text, 'International Exports'), [1.347, 70.513]);
    assert.deepEqual(
      await columnOf(fileOf(oneColumn, ...rowsWith(['1.347', '908'])), 'International Exports'),
      [1.347, 908],
    );
  });

  it('is refused with both readings, where no cell of the file has a mark between thousands', async () => {
    for (const cells of [
      ['1246.934', '"246,934"'],
      ['"246,934"', '846.5'],
      ['908', '"246,934"'],
    ])
      assert.match(
        await refusalOf(fileOf(oneColumn, ...rowsWith(cells))),
        /^a\.csv: '246,934' under 'exports_mw' in line \d can be 246934 or 246\.934, and no other cell tells/,
      );
    const semicolons = rowsWith(['1246.934', '246,934']).map(line =>
      line.replaceAll(/[.,]/g, mark => (mark === ',' ? ';' : ',')),
    );
    semicolons[1] = semicolons[1]?.replace('246;934', '246.934') ?? '';
    assert.match(
      await refusalOf(fileOf(oneColumn.replaceAll(',', ';'), ...semicolons)),
      /^a\.csv: '246\.934' under 'exports_mw' in line 3 can be 246\.934 or 246934, and/,
    );
  });

  it('reads thousands where other cells of the file have such a mark', async () => {
    const text = fileOf(oneColumn, ...rowsWith(['"1,246.934"', '"1,246"']));
    assert.deepEqual(await columnOf(text, 'International Exports'), [1246.934, 1246]);
  });

  it('reads three decimals in each cell of a file as decimals, where a column has no other', async () => {
    const fixed = [...values, '62.4', '25.4'].map(value => Number(value).toFixed(3));
    const head = [oneColumn, 'Drakensberg Gen Unit Hours', 'Palmiet Gen Unit Hours'].join();
    const text = fileOf(head, row('2022-06-23 00:00', fixed));
    assert.deepEqual(await columnOf(text, 'Drakensberg Gen Unit Hours'), [62.4]);
    assert.deepEqual((await read(text)).notes, []);
    const grouped = fixed.map(cell => `"${cell.replace(/(?<=\d)(?=\d{3}\.)/, ',')}"`);
    const hours = await columnOf(fileOf(head, row('2022-06-23 00:00', grouped)), 'Drakensberg Gen Unit Hours');
    assert.deepEqual(hours, [62.4]);
  });
});
