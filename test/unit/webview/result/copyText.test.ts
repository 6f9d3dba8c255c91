import assert from 'node:assert/strict';
import type { Column } from '../../../../src/shared/frame.ts';
import { formatCopy, type CopyFormat } from '../../../../src/webview/result/copyText.ts';
import { booleanColumn, nestedColumn, numberColumn, textColumn, timeColumn } from '../../core/filter/columns.ts';
import { power } from '../../../../src/shared/units.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const start = Date.UTC(2023, 4, 3, 4);

function copy(format: CopyFormat, columns: Column[], headers = false, zone = utc, rows?: number[]): string {
  const first = columns[0];
  const count = first === undefined ? 0 : 'values' in first ? first.values.length : first.texts.codes.length;
  return formatCopy({ columns, rows: rows ?? Array.from({ length: count }, (_, row) => row), zone }, format, headers);
}

describe('formatCopy', () => {
  const columns = [
    timeColumn('ts', [start, start + 3_600_000]),
    numberColumn('wind_mw', [1 / 3, null], power),
    textColumn('kind', ['a, "b"', undefined]),
  ];

  it("copies a table with the time zone in the time's heading", () => {
    assert.equal(
      copy('tsv', columns, true, sast),
      [
        'ts (SAST)\twind_mw\tkind',
        '2023-05-03T06:00:00+02:00\t0.3333333333333333\t"a, ""b"""',
        '2023-05-03T07:00:00+02:00\t\t',
      ].join('\n'),
    );
    assert.equal(
      copy('csv', columns, true),
      ['ts (UTC),wind_mw,kind', '2023-05-03T04:00:00Z,0.3333333333333333,"a, ""b"""', '2023-05-03T05:00:00Z,,'].join(
        '\r\n',
      ),
    );
  });

  it('labels Sample Data in copies with a heading, and leaves bare cells unchanged', () => {
    const origin = { connection: 'Sample | Data', mark: 'SAMPLE DATA' };
    const copyFirstLine = (format: CopyFormat, headers: boolean, copiedColumns = columns): string | undefined =>
      formatCopy({ columns: copiedColumns, rows: [0], zone: sast, origin }, format, headers).split('\n')[0];
    assert.equal(copyFirstLine('tsv', true), 'ts (SAST, SAMPLE DATA)\twind_mw\tkind');
    assert.equal(copyFirstLine('csv', true, [numberColumn('wind_mw', [1])])?.trim(), 'wind_mw (SAMPLE DATA)');
    assert.equal(copyFirstLine('tsv', false), copy('tsv', columns, false, sast).split('\n')[0]);
    assert.equal(copyFirstLine('markdown', false), '**SAMPLE DATA · Sample \\| Data**');
  });

  it('copies rows and columns in the displayed order', () => {
    assert.equal(
      copy('tsv', [numberColumn('b', [1, 2, 3]), numberColumn('a', [4, 5, 6])], true, utc, [2, 0]),
      'b\ta\n3\t6\n1\t4',
    );
  });

  it('distinguishes null and absent in JSON, and nests like the service', () => {
    const inner = {
      ...numberColumn('components.reserve_margin', [0.25, undefined]),
      path: ['components', 'reserve_margin'],
    };
    assert.equal(
      copy('json', [...columns, inner, nestedColumn('list', ['[1,2]', '12345678901234567890'])], true, sast),
      [
        '[',
        '  {"ts":"2023-05-03T06:00:00+02:00","wind_mw":0.3333333333333333,"kind":"a, \\"b\\"","components":{"reserve_margin":0.25},"list":[1,2]},',
        '  {"ts":"2023-05-03T07:00:00+02:00","wind_mw":null,"list":12345678901234567890}',
        ']',
      ].join('\n'),
    );
    assert.deepEqual(JSON.parse(copy('json', [numberColumn('a', [])])), []);
    assert.equal(copy('json', [numberColumn('a', [NaN]), textColumn('b', ['NaN'])]), '[\n  {"a":"NaN","b":"NaN"}\n]');
  });

  it('keeps columns with the same path', () => {
    const columnWithSamePath = { ...numberColumn('a (before)', [2]), path: ['a'] };
    assert.deepEqual(JSON.parse(copy('json', [numberColumn('a', [1]), columnWithSamePath])), [
      { a: 1, 'a (before)': 2 },
    ]);
  });

  it('escapes formulas in texts, and leaves numbers unchanged', () => {
    const texts = ['=1+1', '+1', '-1', '@a', '＝1', 'a=1', "'x"];
    assert.deepEqual(copy('tsv', [textColumn('=a', texts)], true).split('\n'), [
      "'=a",
      ...["'=1+1", '+1', '-1', "'@a", "'＝1", 'a=1', "'x"],
    ]);
    assert.equal(copy('csv', [textColumn('a', ['\tx'])]), "'\tx");
    assert.equal(copy('tsv', [textColumn('a', ['ok;=HYPERLINK(A1)'])]), "ok;'=HYPERLINK(A1)");
    assert.equal(copy('tsv', [textColumn('a', ['\r\n=x'])]), `"'\r\n'=x"`);
    assert.equal(
      copy('csv', [numberColumn('a', [-1]), nestedColumn('b', ['-12345678901234567890'])]),
      '-1,-12345678901234567890',
    );
  });

  it('distinguishes empty text from no value in CSV', () => {
    assert.equal(copy('csv', [textColumn('a', ['', null]), booleanColumn('b', [true, false])]), '"",true\r\n,false');
  });

  it('escapes what Markdown would read as markup', () => {
    assert.equal(
      copy(
        'markdown',
        [textColumn('wind_mw', ['a|b', '<b> *x*\ny', '_a_b_']), numberColumn('n', [-0.5, null, 2])],
        true,
      ),
      [
        '| wind_mw | n |',
        '| --- | ---: |',
        '| a\\|b | -0.5 |',
        '| \\<b\\> \\*x\\*<br>y |  |',
        '| \\_a_b\\_ | 2 |',
      ].join('\n'),
    );
    assert.equal(copy('markdown', [numberColumn('n', [1])]), '|  |\n| ---: |\n| 1 |');
  });
});

describe('times in a copy', () => {
  const times = (zone: string, ...cells: (number | null)[]): string[] =>
    copy('tsv', [timeColumn('ts', cells)], false, { timeZone: zone, label: zone }).split('\n');

  it('formats times with the offset that applies to them', () => {
    const change = Date.UTC(2023, 9, 29, 1);
    assert.deepEqual(times('Europe/Paris', change - 3_600_000, change - 1, change, change + 3_600_000), [
      '2023-10-29T02:00:00+02:00',
      '2023-10-29T02:59:59.999+02:00',
      '2023-10-29T02:00:00+01:00',
      '2023-10-29T03:00:00+01:00',
    ]);
    assert.deepEqual(times('America/St_Johns', start, null), ['2023-05-03T01:30:00-02:30', '']);
    assert.deepEqual(times('Asia/Kolkata', start, -1), ['2023-05-03T09:30:00+05:30', '1970-01-01T05:29:59.999+05:30']);
    assert.deepEqual(times('Europe/London', Date.UTC(2023, 0, 1)), ['2023-01-01T00:00:00+00:00']);
  });

  it('formats times in UTC if the offset is not in whole minutes', () => {
    assert.deepEqual(times('Europe/Paris', Date.UTC(1900, 0, 1)), ['1900-01-01T00:00:00Z']);
  });

  it('keeps digits below the millisecond', () => {
    const received = { codes: Uint32Array.from([0]), entries: ['2023-05-03T06:00:00.123456+02:00'] };
    assert.equal(copy('csv', [timeColumn('ts', [start + 123], received)]), '2023-05-03T04:00:00.123456Z');
  });
});
