import assert from 'node:assert/strict';
import type { PortalColumn } from '../../../../src/core/portal/portalColumns.ts';
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

  it('counts sums that do not match, and leaves the numbers unchanged', async () => {
    const text = fileOf(
      head,
      row(time(0), [...values, '8000.5', '304.117', '8304,617', '0', '24.79']),
      row(time(1), [...values, '8000.5', '304.117', '8304,047', '0', '24.79']),
      row(time(2), [...values.with(-1, '937.504'), '8000.5', '304.117', '8304,617', '0', '24.79']),
    );
    const { columns, notes } = await read(text);
    assert.deepEqual([...(columns.get('Total UCLF+OCLF') ?? [])], [8304.617, 8304.047, 8304.617]);
    assert.deepEqual([...(columns.get('Total RE') ?? [])], [837.504, 837.504, 937.504]);
    assert.deepEqual(notes, [
      'a.csv: in 2 of 3 rows the sums of columns are off, by 100 MW at most ("Total RE" at 2022-06-23T00:00:00Z): the numbers are left as they are.',
    ]);
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

  it('reads whole numbers with thousands separators when the sums of columns confirm it, and reports it', async () => {
    for (const [text, shown] of [
      [excel, '21,627'],
      [german, '21.627'],
    ] as const) {
      const { columns, notes } = await read(text);
      assert.deepEqual(
        names.map(name => columns.get(name)?.[0]),
        values.map(value => Math.round(Number(value)) + 0),
      );
      assert.deepEqual(notes, [
        `a.csv: numbers such as "${shown}" are read as 21627: with that, the sums of columns are right.`,
      ]);
    }
  });

  it('reads three decimals when the sums confirm them', async () => {
    const small = values.map(value => (Number(value) / 1000).toFixed(3));
    const cells = small.map(value => (value === '0.000' ? '0' : value.replace('.', ',')));
    const text = fileOf(oneColumn.replaceAll(',', ';'), ['2022-06-23 00:00', ...cells].join(';'));
    assert.deepEqual(await columnOf(text, 'Thermal Generation'), [21.862]);
  });

  it('refuses ambiguous separators, with both readings', async () => {
    const sumless = (text: string) =>
      text.replace('CSP', 'Sun').replace('Dispatchable Gen', 'Other Gen').replace('Exports', 'Exports');
    assert.equal(
      await refusalOf(sumless(excel)),
      'a.csv, line 2: "21,627" under "Residual Forecast" can be 21627 or 21.627, and neither the other cells nor the sums of columns tell which; export the hours again from the Eskom Data Portal, with decimal points and without marks between thousands.',
    );
    assert.match(await refusalOf(sumless(german)), /"21\.627" under "Residual Forecast" can be 21\.627 or 21627, and/);
  });

  it('keeps one deviating cell from changing the reading of the others', async () => {
    const text = german.replace(';908;', ';908.5;');
    const { columns, notes } = await read(text);
    assert.deepEqual([columns.get('Nuclear Generation')?.[0], columns.get('Thermal Generation')?.[0]], [908.5, 21_862]);
    assert.match(notes.join(), /numbers such as "21\.627" are read as 21627/);
  });

  it('reads by the sums where ten rows say one thing and an eleventh another, and refuses from the second on', async () => {
    const rounded = values.map(value => String(Math.round(Number(value)) + 0));
    /** "1,000" is a thousand where that makes the total right, else one. */
    const rowAt = (hour: number, isThousand: boolean) => {
      const sums = { 'Other RE': isThousand ? '500' : '2', 'Total RE': isThousand ? '"1,500"' : '3' };
      const own: Partial<Record<PortalColumn, string>> = { Wind: '"1,000"', ...sums };
      return row(
        `2022-06-23 ${String(hour).padStart(2, '0')}:00`,
        names.map((name, place) => own[name] ?? rounded[place] ?? ''),
      );
    };
    const textWith = (others: number) =>
      fileOf(oneColumn, ...Array.from({ length: 10 + others }, (_, hour) => rowAt(hour, hour < 10)));
    assert.equal((await columnOf(textWith(1), 'Wind'))[0], 1_000);
    assert.match(await refusalOf(textWith(2)), /"1,000" under "Wind" can be 1000 or 1, and neither/);
  });

  it('applies one unambiguous cell to the whole file', async () => {
    const told = excel.replace('"1,468"', '"1,468.0"').replace('CSP', 'Sun').replace('Dispatchable Gen', 'Other Gen');
    assert.deepEqual(await columnOf(told, 'Thermal Generation'), [21_862]);
    const blanks = values.map(value => thousands(value, '\u00a0') + ',5');
    const text = fileOf(oneColumn.replaceAll(',', ';'), ['2022-06-23 00:00', ...blanks].join(';'));
    assert.deepEqual(await columnOf(text, 'Thermal Generation'), [21_862.5]);
    assert.deepEqual(await columnOf(Buffer.from(text, 'latin1'), 'Thermal Generation'), [21_862.5]);
  });
});

describe('a column of a portal file with decimal commas that can be in thousands', () => {
  const commas = values.map(value => value.replace('.', ','));
  const fileWith = (name: PortalColumn, ...cells: readonly string[]) => {
    const head = names.includes(name) ? oneColumn : `${oneColumn},${name}`;
    const place = names.includes(name) ? names.indexOf(name) : names.length;
    const lines = cells.map((cell, hour) => {
      const all = names.includes(name) ? commas.with(place, cell) : [...commas, cell];
      return [`2022-06-23 0${hour}:00`, ...all].join(';');
    });
    return fileOf(head.replaceAll(',', ';'), ...lines);
  };

  it('refuses a needed column without a sum, with both readings', async () => {
    assert.equal(
      await refusalOf(fileWith('International Exports', '908', '1,347')),
      'a.csv, line 3: "1,347" under "International Exports" can be 1347 or 1.347, and neither the other cells nor the sums of columns tell which; export the hours again from the Eskom Data Portal, with decimal points and without marks between thousands.',
    );
  });

  it('reads the cells of another column without a sum as gaps, and counts them', async () => {
    const { columns, notes } = await read(fileWith('Non Comm Sentout', '1,347', '908', '2,004'));
    assert.deepEqual([...(columns.get('Non Comm Sentout') ?? [])], [NaN, 908, NaN]);
    assert.deepEqual(notes, ['a.csv: 2 cells of "Non Comm Sentout" are gaps: "1,347" can be 1347 or 1.347.']);
  });

  it('reads decimals where a thousand times as much is more than the whole system has', async () => {
    const text = fileWith('International Exports', '1,347', '70,513');
    assert.deepEqual(await columnOf(text, 'International Exports'), [1.347, 70.513]);
    assert.deepEqual((await read(text)).notes, []);
  });

  it('reads decimals where one cell can be nothing else', async () => {
    const text = fileWith('International Exports', '1,347', '1246,9');
    assert.deepEqual(await columnOf(text, 'International Exports'), [1.347, 1246.9]);
  });

  it('reads the thousands of one column beside the decimals of another when the sums confirm both', async () => {
    // Nuclear and gas together are the 908 of the sum; Other RE stays 16,991.
    const text = fileWith('Nuclear Generation', '1,860').replace(';0;100,5;', ';-952;100,5;');
    const { columns, notes } = await read(text);
    assert.deepEqual([columns.get('Nuclear Generation')?.[0], columns.get('Other RE')?.[0]], [1860, 16.991]);
    assert.deepEqual(notes, [
      'a.csv: numbers such as "1,860" are read as 1860: with that, the sums of columns are right.',
    ]);
  });
});

describe('a column of a portal file with decimal points that can be in thousands', () => {
  const fileWith = (name: PortalColumn, ...cells: readonly string[]) => {
    const place = names.indexOf(name);
    const lines = cells.map((cell, hour) =>
      row(`2022-06-23 0${hour}:00`, place === -1 ? [...values, cell] : values.with(place, cell)),
    );
    return fileOf(place === -1 ? `${oneColumn},${name}` : oneColumn, ...lines);
  };

  it('refuses a needed column without a sum, with both readings', async () => {
    assert.equal(
      await refusalOf(fileWith('International Exports', '908', '1.347')),
      'a.csv, line 3: "1.347" under "International Exports" can be 1.347 or 1347, and neither the other cells nor the sums of columns tell which; export the hours again from the Eskom Data Portal, with decimal points and without marks between thousands.',
    );
  });

  it('reads the cells of another column without a sum as gaps, and counts them', async () => {
    const { columns, notes } = await read(fileWith('Non Comm Sentout', '1.347', '908', '2.004'));
    assert.deepEqual([...(columns.get('Non Comm Sentout') ?? [])], [NaN, 908, NaN]);
    assert.deepEqual(notes, ['a.csv: 2 cells of "Non Comm Sentout" are gaps: "1.347" can be 1.347 or 1347.']);
  });

  it('reads decimals where another cell or the size of the numbers tells', async () => {
    for (const [other, value] of [
      ['820.513', 820.513],
      ['1246.9', 1246.9],
      ['0.5', 0.5],
    ] as const)
      assert.deepEqual(await columnOf(fileWith('International Exports', '1.347', other), 'International Exports'), [
        1.347,
        value,
      ]);
  });

  it('refuses thousands that are more than the whole system has', async () => {
    assert.match(
      await refusalOf(fileWith('International Exports', '908', '"139,646"')),
      /line 3: "139,646" under "International Exports" can be 139646 or 139\.646, and neither/,
    );
    assert.deepEqual(await columnOf(fileWith('International Exports', '"1,347"'), 'International Exports'), [1347]);
  });

  it('reads thousands where the sums confirm them', async () => {
    // Nuclear and gas together are the 908 of the sum.
    const text = fileWith('Nuclear Generation', '1.860').replace(',0,100.5,', ',-952,100.5,');
    const { columns, notes } = await read(text);
    assert.deepEqual([columns.get('Nuclear Generation')?.[0], columns.get('Other RE')?.[0]], [1860, 16.991]);
    assert.deepEqual(notes, [
      'a.csv: numbers such as "1.860" are read as 1860: with that, the sums of columns are right.',
    ]);
  });
});

describe('a column of a portal file with decimals that has one cell with another mark', () => {
  const at = names.indexOf('International Exports');
  const rowsWith = (cells: readonly string[]) =>
    cells.map((cell, hour) => row(`2022-06-23 0${hour}:00`, values.with(at, cell)));

  it('refuses it with both readings, where the file has no mark between thousands', async () => {
    for (const [cells, seen] of [
      [['1246.934', '"246,934"'], '1246.934'],
      [['"246,934"', '846.5'], '846.5'],
    ] as const)
      assert.match(
        await refusalOf(fileOf(oneColumn, ...rowsWith(cells))),
        new RegExp(
          `^a\\.csv, line \\d: "246,934" under "International Exports" can be 246934 or 246\\.934: "${seen}" of line \\d has no mark between thousands, and no sum of columns tells; correct the line`,
        ),
      );
    const semicolons = rowsWith(['1246.934', '246,934']).map(line =>
      line.replaceAll(/[.,]/g, mark => (mark === ',' ? ';' : ',')),
    );
    semicolons[1] = semicolons[1]?.replace('246;934', '246.934') ?? '';
    assert.match(
      await refusalOf(fileOf(oneColumn.replaceAll(',', ';'), ...semicolons)),
      /^a\.csv, line 3: "246\.934" under "International Exports" can be 246\.934 or 246934: "1246,934" of line 2 has/,
    );
  });

  it('reads thousands where other cells of the file have such a mark', async () => {
    const text = fileOf(oneColumn, ...rowsWith(['"1,246.934"', '"1,246"']));
    assert.deepEqual(await columnOf(text, 'International Exports'), [1246.934, 1246]);
  });

  it('reads thousands where the sums confirm them', async () => {
    const changed = values
      .with(names.indexOf('Nuclear Generation'), '"1,908"')
      .with(names.indexOf('Thermal Generation'), '20862.3');
    const text = fileOf(
      oneColumn,
      row('2022-06-23 00:00', values.with(names.indexOf('Nuclear Generation'), '908.0')),
      row('2022-06-23 01:00', changed),
    );
    assert.deepEqual(await columnOf(text, 'Nuclear Generation'), [908, 1908]);
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
    const trimmed = fileOf(head, row('2022-06-23 00:00', [...values, '62.412', '25.4']));
    assert.deepEqual(await columnOf(trimmed, 'Drakensberg Gen Unit Hours'), [Number.NaN]);
  });
});
