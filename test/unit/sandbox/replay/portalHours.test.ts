import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { portalColumns, type PortalColumn } from '../../../../src/core/portal/portalColumns.ts';
import { readPortalFile } from '../../../../src/core/portal/portalFile.ts';
import {
  toPortalHours,
  openReplay,
  readingColumns,
  ReplaySource,
} from '../../../../src/sandbox/replay/replaySource.ts';
import { hourMs } from '../../../../src/shared/durations.ts';
import { parseResponse, fakeService, toHour, range, systemState } from '../fakes.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const requiredColumns = Object.values(readingColumns);
const firstHour = Date.UTC(2022, 5, 22, 22);
const heading = ['Date Time Hour Beginning', ...portalColumns].join();
const values: Readonly<Partial<Record<PortalColumn, number>>> = {
  'Residual Forecast': 21_627.104,
  'Dispatchable Generation': 22_146.101,
  'Residual Demand': 22_646.101,
  'International Exports': 1246.934,
  'International Imports': 1468,
  'Thermal Generation': 21_862.3,
  'Nuclear Generation': 908,
  'Eskom OCGT Generation': 100.5,
  'Manual Load_Reduction(MLR)': 500,
  'Eskom Gas SCO': -1,
  'Eskom OCGT SCO': -5.699,
  'Pumped Water SCO Pumping': -2186,
  Wind: 820.513,
  'Other RE': 16.991,
  'Total RE': 837.504,
};
const emptyColumns: readonly PortalColumn[] = [
  'Total UCLF+OCLF',
  'RSA Contracted Demand',
  'Total RE Installed Capacity',
];
const createRow = (time: string, changes: Readonly<Partial<Record<PortalColumn, string>>> = {}) =>
  [
    time,
    ...portalColumns.map(name => changes[name] ?? (emptyColumns.includes(name) ? '' : String(values[name] ?? 0))),
  ].join();
const createFile = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;
const readHours = async (text: string) =>
  toPortalHours(await readPortalFile(new TextEncoder().encode(text), 'a.csv', requiredColumns), 'a.csv');

describe('toPortalHours', () => {
  it('reads each field from its column, and NULL as null', async () => {
    const { hours, notices } = await readHours(createFile(heading, createRow('2022-06-23 00:00', { Wind: 'NULL' })));
    assert.deepEqual(notices, []);
    assert.deepEqual(hours, [
      {
        hour: toHour(firstHour),
        measured: {
          residualDemand: 22_646.101,
          residualForecast: 21_627.104,
          thermal: 21_862.3,
          nuclear: 908,
          gas: 0,
          ocgt: 100.5,
          ippOcgt: 0,
          hydro: 0,
          pumped: 0,
          wind: null,
          pv: 0,
          totalRenewable: 837.504,
          imports: 1468,
          exports: 1246.934,
          shed: 500,
        },
      },
    ]);
  });

  it('omits hours that have no measurements, and reports how many', async () => {
    const gaps = Object.fromEntries(portalColumns.map(name => [name, '']));
    const forecast = { ...gaps, 'Residual Forecast': '20000', 'RSA Contracted Forecast': '21000' };
    const { hours, notices } = await readHours(
      createFile(
        heading,
        createRow('2022-06-23 03:00', gaps),
        createRow('2022-06-23 02:00', forecast),
        createRow('2022-06-23 00:00'),
      ),
    );
    assert.deepEqual(
      hours.map(({ hour }) => hour),
      [toHour(firstHour)],
    );
    assert.deepEqual(notices, [
      'a.csv: 2 hours (from 2022-06-23T00:00:00Z to 2022-06-23T01:00:00Z) have no measurements and are omitted.',
    ]);
    const single = await readHours(
      createFile(heading, createRow('2022-06-23 02:00', forecast), createRow('2022-06-23 00:00')),
    );
    assert.deepEqual(single.notices, ['a.csv: 1 hour (2022-06-23T00:00:00Z) has no measurements and is omitted.']);
    await assert.rejects(readHours(createFile(heading, createRow('2022-06-23 02:00', forecast))), {
      name: 'SandboxError',
      message: 'a.csv has no hours; export the hours again from the Eskom Data Portal.',
    });
  });
});

describe('ReplaySource', () => {
  const text = createFile(
    heading,
    createRow('2022-06-23 00:00'),
    createRow('2022-06-23 01:00'),
    createRow('2022-06-23 05:00'),
  );
  const sourceInfo = { fileNames: ['a.csv'], hash: 'f00d'.repeat(16), weeks: 0 };
  let source: ReplaySource;

  before(async () => (source = new ReplaySource(await readHours(text), sourceInfo)));

  it('publishes only the hours of the file, with all fields of the dataset', async () => {
    const { request } = fakeService({ source });
    const start = firstHour;
    const { meta, data } = await parseResponse(await request(systemState + range(start - hourMs, start + 24 * hourMs)));
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

  it('rejects a file with text in a number column, with the message of the file reader', async () => {
    const file = join(createTemporaryFolder(), 'a.csv');
    await writeFile(file, text.replace('820.513', 'much'));
    await assert.rejects(openReplay([file]), {
      name: 'SandboxError',
      message: /^a\.csv: 'wind_mw' is text because of 'much' in line 2; /,
    });
  });

  it('identifies the source by a hash of the file content, and does not reveal its path', async () => {
    const folder = createTemporaryFolder();
    await writeFile(join(folder, 'a.csv'), text);
    await writeFile(join(folder, 'b.csv'), text);
    await writeFile(join(folder, 'c.csv'), createFile(heading, createRow('2022-06-23 00:00')));
    const [a, b, c] = await Promise.all(['a.csv', 'b.csv', 'c.csv'].map(name => openReplay([join(folder, name)])));
    assert.match(a?.identity ?? '', /^replay-[0-9a-f]{16}$/);
    assert.equal(a?.identity, b?.identity);
    assert.notEqual(a?.identity, c?.identity);
    assert.equal(a?.note.includes(folder), false);
  });
});
