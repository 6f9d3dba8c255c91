import assert from 'node:assert/strict';
import { provider, specification } from './clause.ts';
import type { Clause } from './clause.ts';
import { NotChecked } from './client.ts';
import {
  hourMs,
  formatIso,
  getNumber,
  parseObject,
  requireSome,
  parseRows,
  parseSomeRows,
  systemState,
} from './contractRequests.ts';
import type { Row } from './contractRequests.ts';

const stateFields =
  'residual_demand_mw residual_forecast_mw thermal_mw nuclear_mw eskom_gas_mw eskom_ocgt_mw hydro_water_mw wind_mw pv_mw ' +
  'total_re_mw imports_mw exports_mw net_import_mw renewable_share_pct ocgt_ramp_mw forecast_error_mw';
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const roundingMw = 0.002;

/** The clauses about the content of responses. */
export const dataClauses: readonly Clause[] = [
  specification('a response is JSON, and a range of several days is one response', async api => {
    parseObject(await api.stress());
    const days = parseSomeRows(await api.state()).map(({ ts }) => String(ts).slice(0, 10));
    assert.ok(new Set(days).size > 1, `all hours are on ${days[0]}`);
  }),
  specification('interval=1d has fewer points than interval=1h', async api => {
    const hours = parseSomeRows(await api.state(`${api.range}&interval=1h`));
    const days = parseRows(await api.state(`${api.range}&interval=1d`));
    assert.ok(days.length > 0 && days.length < hours.length, `${days.length} and ${hours.length}`);
  }),
  specification('requesting the same range twice gives the same response', async api => {
    const path = `${systemState}?${api.range}`;
    const secondResponse = await api.client.request('normalized_data', path);
    assert.deepEqual(parseObject(secondResponse), parseObject(await api.state()));
    parseSomeRows(secondResponse);
  }),
  provider('the envelope: meta with dataset, interval, start, end, timezone and schema_version', async api => {
    for (const [response, dataset] of [
      [await api.state(), 'grid.system_state'],
      [await api.stress(), 'features.grid_stress_index'],
    ] as const) {
      const { meta } = parseObject(response) as { meta: Row };
      const { dataset: responseDataset, interval, start, end, timezone, schema_version: version, derived } = meta;
      assert.deepEqual(
        { dataset: responseDataset, interval, start, end, timezone, version, derived: typeof derived },
        {
          dataset,
          interval: '1h',
          start: formatIso(api.start),
          end: formatIso(api.end),
          timezone: 'UTC',
          version: '1.0',
          derived: 'boolean',
        },
      );
    }
  }),
  provider('ts is the start of the hour in UTC, within the range and unique', async api => {
    for (const rows of [parseSomeRows(await api.state()), parseSomeRows(await api.stress())]) {
      const times = rows.map(({ ts }) => {
        assert.match(String(ts), instant);
        return Date.parse(String(ts));
      });
      assert.ok(times.every(time => time >= api.start && time <= api.end && time % hourMs === 0));
      assert.equal(new Set(times).size, times.length);
    }
  }),
  provider('a system-state record has the documented fields, numbers or null', async api => {
    for (const row of parseSomeRows(await api.state()))
      for (const name of stateFields.split(' ')) {
        assert.ok(name in row, `${name} is missing at ${String(row['ts'])}`);
        getNumber(row, name);
      }
  }),
  provider('net import and forecast error are the documented differences', async api => {
    for (const [name, a, b] of [
      ['net_import_mw', 'imports_mw', 'exports_mw'],
      ['forecast_error_mw', 'residual_demand_mw', 'residual_forecast_mw'],
    ] as const) {
      let compared = 0;
      for (const row of parseSomeRows(await api.state())) {
        const difference = getNumber(row, name);
        const from = getNumber(row, a);
        const subtrahend = getNumber(row, b);
        if (difference === null || from === null || subtrahend === null) continue;
        assert.ok(Math.abs(difference - (from - subtrahend)) <= roundingMw, `${name} at ${String(row['ts'])}`);
        compared++;
      }
      requireSome(compared, `${name}, ${a} and ${b}`);
    }
  }),
  provider('the OCGT ramp is the change from the previous hour', async api => {
    const rows = parseSomeRows(await api.state());
    let compared = 0;
    for (const [index, row] of rows.entries()) {
      const previousRow = rows[index - 1];
      if (!previousRow || Date.parse(String(row['ts'])) - Date.parse(String(previousRow['ts'])) !== hourMs) continue;
      const ramp = getNumber(row, 'ocgt_ramp_mw');
      const now = getNumber(row, 'eskom_ocgt_mw');
      const previousPower = getNumber(previousRow, 'eskom_ocgt_mw');
      if (ramp === null || now === null || previousPower === null) continue;
      assert.ok(Math.abs(ramp - (now - previousPower)) <= roundingMw, `at ${String(row['ts'])}`);
      compared++;
    }
    requireSome(compared, 'a ramp and both its hours');
  }),
  provider('a day is a UTC day, and its MW fields are the means of its hours', async api => {
    const hours = parseSomeRows(await api.state());
    const days = parseSomeRows(await api.state(`${api.range}&interval=1d`));
    let compared = 0;
    for (const day of days) {
      assert.match(String(day['ts']), /T00:00:00Z$/);
      const date = String(day['ts']).slice(0, 10);
      const dayHours = hours.filter(({ ts }) => String(ts).startsWith(date));
      for (const name of stateFields.split(' ').filter(field => field.endsWith('_mw') && field !== 'ocgt_ramp_mw')) {
        const known = dayHours.map(hour => getNumber(hour, name)).filter(value => value !== null);
        const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
        const dailyMean = getNumber(day, name);
        assert.ok(
          dailyMean === null ? known.length === 0 : Math.abs(dailyMean - mean) <= roundingMw,
          `${name} of ${date}`,
        );
        if (dailyMean !== null) compared++;
      }
    }
    requireSome(compared, 'a mean of a day');
  }),
  provider('a stress record has value and version, and components only on request', async api => {
    let known = 0;
    for (const row of parseSomeRows(await api.stress())) {
      if (assertShare(row, 'value')) known++;
      assert.equal(typeof row['version'], 'string');
      assert.equal('components' in row, false);
    }
    requireSome(known, 'a value');
  }),
  provider('components=true adds the four components, each from 0 to 1', async api => {
    const known = new Set<string>();
    for (const row of parseSomeRows(await api.stress(`${api.range}&components=true`))) {
      const components = row['components'] as Row;
      assert.deepEqual(Object.keys(components).sort(), [
        ...['ocgt_ramp', 'renewable_shortfall', 'reserve_margin', 'residual_demand'],
      ]);
      for (const name of Object.keys(components)) if (assertShare(components, name)) known.add(name);
    }
    requireSome(known.size === 4 ? 1 : 0, 'all four');
  }),
  provider('an offset such as +02:00 is accepted, and the default interval is 1h', async api => {
    const local = (time: number) => encodeURIComponent(formatIso(time + 2 * hourMs).replace('Z', '+02:00'));
    const rows = parseSomeRows(await api.state(`start=${local(api.start)}&end=${local(api.end)}`));
    assert.deepEqual(rows, parseRows(await api.state(`${api.range}&interval=1h`)));
  }),
  ...(
    [
      ['missing_params', 'without start and end', ''],
      ['invalid_datetime', 'with an invalid start', 'start=yesterday&end=2023-01-01T00:00:00Z'],
      [
        'unsupported_interval',
        'with an interval that does not exist',
        'start=2023-01-01T00:00:00Z&end=2023-01-02T00:00:00Z&interval=5m',
      ],
      ['bad_request', 'with a start after the end', 'start=2023-01-02T00:00:00Z&end=2023-01-01T00:00:00Z'],
    ] as const
  ).map(([code, when, query]) =>
    provider(`${when}: 400 with the code ${code}`, async api => {
      const response = await api.state(query);
      assert.equal(response.status, 400);
      const { error, detail } = parseObject(response);
      assert.equal(error, code);
      assert.equal(typeof detail, 'string');
    }),
  ),
  provider('grid stress accepts only the interval 1h', async api => {
    const response = await api.stress(`${api.range}&interval=1d`);
    assert.equal(response.status, 400);
    assert.equal(parseObject(response)['error'], 'unsupported_interval');
  }),
  provider('a path that does not exist: 404 as JSON', async api => {
    const response = await api.client.request(undefined, '/api/v1/nothing-here');
    assert.equal(response.status, 404);
    assert.equal(typeof parseObject(response)['detail'], 'string');
  }),
  provider('hours that upstream has not delivered yet are omitted, and meta reports the delay', async api => {
    const futureMs = api.client.target.clock.now() + 48 * hourMs;
    const response = await api.state(
      `start=${formatIso(futureMs - (futureMs % hourMs))}&end=${formatIso(futureMs - (futureMs % hourMs) + hourMs)}`,
    );
    assert.deepEqual(parseRows(response), []);
    const { meta } = parseObject(response) as { meta: Row };
    if (!('data_delay' in meta)) throw new NotChecked('the data is not delayed now');
    assert.match(String(meta['last_available']), instant);
  }),
];

/** Checks that a value is between 0 and 1. Returns whether it is not null. */
function assertShare(row: Row, name: string): boolean {
  const value = getNumber(row, name);
  assert.ok(value === null || (value >= 0 && value <= 1), `${name} is ${value}`);
  return value !== null;
}
