import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEskomFile } from '../../../../src/sandbox/replay/eskomFile.ts';
import { joinHours } from '../../../../src/sandbox/replay/joinHours.ts';
import { openReplay, ReplaySource } from '../../../../src/sandbox/replay/replaySource.ts';
import { SandboxError } from '../../../../src/sandbox/sandboxError.ts';
import { hostileAnswers } from '../../../hostile/answers.ts';
import { hostileQueriesFiles } from '../../../hostile/files.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { answerOf, fakeService, range, systemState } from '../fakes.ts';

// Made-up numbers that meet the sums of the real export.
const names = [
  'Residual Forecast',
  'Dispatchable Generation',
  'Residual Demand',
  'International Exports',
  'International Imports',
  'Thermal Generation',
  'Nuclear Generation',
  'Eskom Gas Generation',
  'Eskom OCGT Generation',
  'Hydro Water Generation',
  'Pumped Water Generation',
  'ILS Usage',
  'Manual Load_Reduction(MLR)',
  'IOS Excl ILS and MLR',
  'Dispatchable IPP OCGT',
  'Eskom Gas SCO',
  'Eskom OCGT SCO',
  'Hydro Water SCO',
  'Pumped Water SCO Pumping',
  'Wind',
  'PV',
  'CSP',
  'Other RE',
  'Total RE',
];
const values =
  '21627.104 22146.101 22646.101 1246.934 1468 21862.3 908 0 100.5 0 0 0 500 0 0 -1 -5.699 0 -2186 820.513 0 0 16.991 837.504'.split(
    ' ',
  );
const oneColumn = ['Date Time Hour Beginning', ...names].join(',');
const twoColumns = ['Date_Time', 'Time_Hr', ...names].join(',');
const row = (time: string, cells: readonly string[] = values) => [time, ...cells].join(',');
const fileOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;
const hour = Date.UTC(2022, 5, 22, 22) / 3_600_000;

/** What is said of a file that is none; a sentence that a terminal shows as it is. */
function refusalOf(text: string): string {
  try {
    readEskomFile(text, 'a.csv');
  } catch (error) {
    assert.ok(error instanceof SandboxError, String(error));
    assert.doesNotMatch(error.message, /\p{C}/u);
    assert.ok(error.message.length < 1_000);
    return error.message;
  }
  return assert.fail('it was read');
}

describe('readEskomFile', () => {
  it('reads both layouts of the portal alike', () => {
    const one = readEskomFile(fileOf(oneColumn, row('2022-06-23 12:00:00 AM'), row('2022-06-23 01:00:00 AM')), 'a.csv');
    const two = readEskomFile(fileOf(twoColumns, row('2022-06-23,00:00:00'), row('2022-06-23,01:00:00')), 'b.csv');
    assert.deepEqual(one, two);
    assert.deepEqual(
      one.map(found => found.hour),
      [hour, hour + 1],
    );
    assert.deepEqual(one[0]?.measured, {
      residualDemand: 22_646.101,
      residualForecast: 21_627.104,
      thermal: 21_862.3,
      nuclear: 908,
      gas: 0,
      ocgt: 100.5,
      ippOcgt: 0,
      hydro: 0,
      pumped: 0,
      wind: 820.513,
      pv: 0,
      totalRenewable: 837.504,
      imports: 1468,
      exports: 1246.934,
      shed: 500,
    });
  });

  it('refuses files of any other kind in one bounded sentence', () => {
    const files = [
      ...hostileAnswers.map(({ body, small = body }) => small()),
      ...hostileQueriesFiles.map(({ text }) => text),
      ...hostileTexts.map(({ text }) => text),
    ];
    for (const text of files.filter(({ length }) => length < 300_000)) {
      refusalOf(text);
      if (/[^\s,]/.test(text)) refusalOf(fileOf(oneColumn, text));
    }
  }).timeout(60_000);

  it('quotes a text from a file as a terminal shows it', () => {
    for (const { name, text } of hostileTexts) {
      // Where time grew by its square, these would still take minutes.
      const cell = `"${text.slice(0, 300_000).replaceAll('"', '""')}"`;
      assert.match(refusalOf(fileOf(oneColumn, row(cell))), /line \d+: ".*" is not the beginning of an hour/, name);
      assert.match(refusalOf(fileOf(oneColumn, row('2022-06-23 00:00', values.with(0, cell)))), /line/, name);
    }
  });

  it('reads rows whose decimal commas are not quoted, quoted ones, and semicolons', () => {
    const comma = values.map(value => value.replace('.', ','));
    const quoted = comma.map(value => `"${value}"`);
    const expected = readEskomFile(fileOf(oneColumn, row('2022-06-23 00:00')), 'a.csv');
    for (const text of [
      fileOf(oneColumn, row('2022-06-23 00:00', comma)),
      fileOf(oneColumn, row('2022-06-23 00:00', quoted)),
      fileOf(oneColumn.replaceAll(',', ';'), ['2022-06-23 00:00', ...comma].join(';')),
      `\u{feff}${fileOf(oneColumn, row('2022-06-23 00:00'))}`,
    ])
      assert.deepEqual(readEskomFile(text, 'a.csv'), expected);
  });

  it('leaves out hours that hold a forecast alone, and keeps an empty cell as null', () => {
    const forecastOnly = names.map(name => (name === 'Residual Forecast' ? '20000' : ''));
    const noWind = names.map((name, place) => (name === 'Wind' ? '' : (values[place] ?? '')));
    const text = fileOf(
      oneColumn,
      row('2022-06-23 02:00', forecastOnly),
      row('2022-06-23 01:00', noWind),
      row('2022-06-23 00:00'),
    );
    const hours = readEskomFile(text, 'a.csv');
    assert.deepEqual(
      hours.map(found => [found.hour, found.measured.wind]),
      [
        [hour + 1, null],
        [hour, 820.513],
      ],
    );
  });

  for (const [what, text, message] of [
    ['an empty file', '', /^a\.csv is empty; /],
    ['a header alone', fileOf(oneColumn), /^a\.csv holds no hours; /],
    ['no time column', fileOf('Day,Wind', '1,2'), /^a\.csv, line 1: there is no column "Date Time Hour Beginning"/],
    [
      'a missing column',
      fileOf('Date Time Hour Beginning,Wind', 'x,2'),
      /^a\.csv, line 1: missing column "Residual Demand", /,
    ],
    [
      'a word for a number',
      fileOf(oneColumn, row('2022-06-23 00:00'), row('2022-06-23 01:00', ['n/a', ...values.slice(1)])),
      /^a\.csv, line 3: "n\/a" under "Residual Forecast" is not a number; /,
    ],
    [
      'a day before the month',
      fileOf(oneColumn, row('23/06/2022 00:00')),
      /^a\.csv, line 2: "23\/06\/2022 00:00" is not the beginning of an hour/,
    ],
    ['half an hour', fileOf(oneColumn, row('2022-06-23 00:30')), /^a\.csv, line 2: .* is not the beginning of an hour/],
    [
      'a short row',
      fileOf(oneColumn, row('2022-06-23 00:00', values.slice(1))),
      /^a\.csv, line 2: 24 fields where the header has 25; /,
    ],
    [
      'a long row',
      fileOf(oneColumn, row('2022-06-23 00:00', [...values, 'x'])),
      /^a\.csv, line 2: 26 fields where the header has 25; /,
    ],
    [
      'commas that could be either',
      fileOf(
        oneColumn.replace(',Dispatchable Generation', '').replace(',CSP', ''),
        row('2022-06-23 00:00', ['1,234', '567', ...values.slice(3, 21), ...values.slice(22)]),
      ),
      /^a\.csv, line 2: its decimal commas cannot be told from the commas between fields; /,
    ],
    [
      'an open quotation mark',
      fileOf(oneColumn, row('"2022-06-23 00:00')),
      /^a\.csv(?:, line \d+)? is not well-formed CSV/,
    ],
  ] as const)
    it(`says what is wrong with ${what}, in one sentence with what to do`, () =>
      assert.throws(
        () => readEskomFile(text, 'a.csv'),
        (error: Error) => {
          assert.equal(error.name, 'SandboxError');
          assert.match(error.message, message);
          assert.match(error.message, /export the hours again from the Eskom Data Portal/);
          return true;
        },
      ));
});

describe('ReplaySource', () => {
  const text = fileOf(oneColumn, row('2022-06-23 00:00'), row('2022-06-23 01:00'), row('2022-06-23 05:00'));
  const facts = { fileNames: ['a.csv'], hash: 'f00d'.repeat(16), weeks: 0 };
  const source = new ReplaySource(joinHours(readEskomFile(text, 'a.csv')), facts);

  it('publishes the fields of the file, and no hour that is not in it', async () => {
    const { request } = fakeService({ source });
    const start = hour * 3_600_000;
    const { meta, data } = await answerOf(await request(systemState + range(start - 36e5, start + 24 * 36e5)));
    assert.equal(meta['source'], 'replay');
    assert.equal(meta['note'], 'Replayed by the sandbox from the file a.csv.');
    assert.deepEqual(
      data.map(record => [record['ts'], record['ocgt_ramp_mw']]),
      [
        ['2022-06-22T22:00:00Z', null],
        ['2022-06-22T23:00:00Z', 0],
        ['2022-06-23T03:00:00Z', null],
      ],
    );
    assert.deepEqual(data[1], {
      ts: '2022-06-22T23:00:00Z',
      residual_demand_mw: 22_646.101,
      residual_forecast_mw: 21_627.104,
      thermal_mw: 21_862.3,
      nuclear_mw: 908,
      eskom_gas_mw: 0,
      eskom_ocgt_mw: 100.5,
      hydro_water_mw: 0,
      wind_mw: 820.513,
      pv_mw: 0,
      total_re_mw: 837.504,
      imports_mw: 1468,
      exports_mw: 1246.934,
      net_import_mw: 221.066,
      // 837.504 of 21,862.3 + 908 + 100.5 + 837.504.
      renewable_share_pct: 3.533,
      ocgt_ramp_mw: 0,
      forecast_error_mw: 1_018.997,
    });
  });

  it('is named after the content of the file, and gives away no path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-replay-'));
    try {
      await writeFile(join(folder, 'a.csv'), text);
      await writeFile(join(folder, 'b.csv'), text);
      await writeFile(join(folder, 'c.csv'), fileOf(oneColumn, row('2022-06-23 00:00')));
      const [a, b, c] = await Promise.all(['a.csv', 'b.csv', 'c.csv'].map(name => openReplay([join(folder, name)])));
      assert.match(a?.identity ?? '', /^replay-[0-9a-f]{16}$/);
      assert.equal(a?.identity, b?.identity);
      assert.notEqual(a?.identity, c?.identity);
      assert.equal(a?.note.includes(folder), false);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
