import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/embedded.ts';

describe('the exported API', () => {
  let sandbox: RunningSandbox;
  let api: GridDataApi;

  before(async () => {
    sandbox = await startSandbox();
    const extension = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
    assert.ok(extension);
    api = await extension.activate();
    await vscode.commands.executeCommand('gridData.addConnection', {
      name: 'API',
      baseUrl: sandbox.baseUrl,
      key: sandbox.createKey('api').value,
      verify: false,
    });
  });
  after(async () => sandbox.close());

  it('returns columns, rows as received, coverage and provenance', async () => {
    assert.equal(api.version, 1);
    const result = await api.query({ dataset: 'systemState', range: '2023-05-01', connection: 'API' });
    assert.deepEqual(
      result.columns.slice(0, 2).map(({ name, kind, unit }) => ({ name, kind, unit })),
      [
        { name: 'ts', kind: 'time', unit: undefined },
        { name: 'residual_demand_mw', kind: 'number', unit: 'MW' },
      ],
    );
    const rows = [...result.rows()];
    assert.equal(rows[0]?.['ts'], '2023-05-01T00:00:00Z');
    assert.equal(typeof rows[0]['residual_demand_mw'], 'number');
    assert.equal(result.coverage?.expected, 24);
    assert.equal(result.coverage.present, rows.length);
    assert.equal(result.provenance.requestsSpent, 1);
    assert.equal(result.provenance.connection, 'API');
    // The service is a sandbox, although its connection has another name.
    assert.equal(result.provenance.isSample, true);
    // The API exposes nothing beyond its documented members.
    const [names, { failure }] = [Object.keys(result.provenance), result.provenance];
    assert.deepEqual([names.length, names.includes('requests'), failure], [11, false, undefined]);
    assert.ok(!('states' in result.coverage));
  });

  it('returns the rows of an analysis, and rejects an invalid analysis', async () => {
    const query = { dataset: 'systemState', range: '2023-05-01..2023-05-07', timeZone: 'SAST', connection: 'API' };
    const received = await api.query(query);
    const demand = received.column('residual_demand_mw');
    const times = received.column('ts');
    assert.ok(demand?.kind === 'number' && times?.kind === 'time');
    const hours = Array.from(demand.values, (value, row) => ({ value, at: times.values[row] ?? NaN })).filter(
      (_, row) => !demand.gaps?.[row],
    );
    const evening = hours.filter(({ at }) => [17, 18, 19].includes(new Date(at + 7_200_000).getUTCHours()));
    const [first, second] = evening.toSorted((a, b) => b.value - a.value);
    const top = await api.query(query, {
      analysis: {
        where: { ts: '17:00-20:00', residual_demand_mw: '!null' },
        sort: [{ column: 'residual_demand_mw', descending: true }],
        columns: ['ts', 'residual_demand_mw'],
        limit: 2,
      },
    });
    assert.deepEqual([...(top.column('residual_demand_mw')?.values ?? [])], [first?.value, second?.value]);
    assert.equal(top.columns.length, 2);
    assert.equal(top.coverage?.expected, 168);
    const days = await api.query(query, { analysis: { resample: 'day' } });
    assert.equal(days.rowCount, 7);
    assert.equal(days.column('ts')?.values[0], Date.parse('2023-04-30T22:00Z'));
    const compare = { kind: 'range', range: '2022-11-07..2022-11-13' } as const;
    const changes = { compare, summarize: ['energy'] } as const;
    const priceOfComparison = await api.price(query, { analysis: changes });
    const priceOfQuery = await api.price(query);
    assert.deepEqual([priceOfComparison.requests, priceOfQuery.requests], [1, 0]);
    const weeks = await api.query(query, { analysis: changes });
    assert.equal(weeks.provenance.requestsSpent, 1);
    const previousPeriod = await api.query({ ...query, range: compare.range });
    const sumEnergy = (result: typeof received): number => {
      const column = result.column('residual_demand_mw');
      assert.ok(column?.kind === 'number');
      return column.values.reduce((sum, value, row) => sum + (column.gaps?.[row] ? 0 : value), 0);
    };
    const [demandRow] = [...weeks.rows()].filter(({ field }) => field === 'residual_demand_mw');
    for (const [name, result] of [
      ['energy_mwh', received],
      ['energy_mwh · compared', previousPeriod],
    ] as const)
      assert.ok(
        Math.abs(Number(demandRow?.[name]) - sumEnergy(result)) < 1e-3,
        `${name}: ${String(demandRow?.[name])}`,
      );
    const invalidAnalyses = [
      [{ compare: { kind: 'range', range: 'soon' } }, /The compared range 'soon' is no range/],
      [{ where: { gone: '>1' } }, /Unknown column 'gone'/],
      [{ derive: [{ name: 'x', formula: 'wind_mw +' }] }, /The formula is incomplete/],
      [{ where: { wind_mw: 'much' } }, /'much' isn't a valid number/],
      [{ resample: 'day', find: { column: 'wind_mw', rule: { kind: 'peak' } } }, /Use one of/],
      [{ filter: {} }, /filter/],
    ] as const;
    for (const [analysis, message] of invalidAnalyses)
      await assert.rejects(api.query(query, { analysis: analysis as object }), (error: Error & { reason?: string }) => {
        assert.equal(error.reason, 'badInput');
        assert.match(error.message, message);
        return true;
      });
  });

  it('accepts start and end as instants, and extra parameters', async () => {
    const result = await api.query({
      dataset: 'gridStress',
      start: '2023-05-01T02:00:00+02:00',
      end: new Date('2023-05-01T03:00:00Z'),
      params: { components: true },
      connection: 'API',
    });
    assert.equal(result.provenance.end - result.provenance.start, 3 * 3_600_000);
    const [row] = [...result.rows()];
    assert.equal(row?.['ts'], '2023-05-01T00:00:00Z');
    assert.deepEqual(Object.keys(row['components'] as object).sort(), [
      'ocgt_ramp',
      'renewable_shortfall',
      'reserve_margin',
      'residual_demand',
    ]);
  });

  it('sends no request for archived data unless it is requested again', async () => {
    const query = { dataset: 'systemState', range: '2023-07-01', connection: 'API' };
    const spent = async (refresh: 'ifStale' | 'always' | 'never'): Promise<number> =>
      (await api.query(query, { refresh })).provenance.requestsSpent;
    assert.deepEqual([await spent('ifStale'), await spent('ifStale'), await spent('never')], [1, 0, 0]);
    // Services report the time in whole seconds, so two requests within a second share a response.
    let requestsAgain: number;
    do requestsAgain = await spent('always');
    while (requestsAgain === 0);
    assert.equal(requestsAgain, 1);
    const archived = await api.query(query, { refresh: 'never' });
    assert.ok([...archived.rows()].length >= 22);
  });

  it('sends no request with refresh: never', async () => {
    const result = await api.query(
      { dataset: 'systemState', range: '2023-06-01', connection: 'API' },
      { refresh: 'never' },
    );
    assert.deepEqual([[...result.rows()], result.provenance.requestsSpent, result.coverage?.notRequested], [[], 0, 24]);
  });

  it('lists datasets with their fields and connections by name, without API keys', () => {
    const [state, stress] = api.datasets();
    assert.deepEqual([state?.id, stress?.id], ['systemState', 'gridStress']);
    assert.equal(state?.fields.find(({ name }) => name === 'wind_mw')?.unit, 'MW');
    const added = api.connections().find(({ name }) => name === 'API');
    assert.deepEqual(Object.keys(added ?? {}).sort(), ['isActive', 'name', 'state']);
  });

  it('returns columns as typed arrays that the caller may change', async () => {
    const query = { dataset: 'systemState', range: '2023-05-01', connection: 'API' };
    const result = await api.query(query);
    const demand = result.column('residual_demand_mw');
    assert.ok(demand?.kind === 'number');
    const rows = [...result.rows()];
    assert.equal(result.rowCount, rows.length);
    assert.deepEqual(
      rows.map((row, index) => (row['residual_demand_mw'] === null ? null : demand.values[index])),
      rows.map(row => row['residual_demand_mw']),
    );
    demand.values.fill(0);
    assert.deepEqual([...result.rows()], rows);
    const time = result.column('ts');
    assert.ok(time?.kind === 'time');
    assert.equal(time.values[0], Date.UTC(2023, 4, 1));
    assert.equal(result.column('no_such_field'), undefined);
  });

  it('returns price and budget, and opens a panel, without a request', async () => {
    const query = { dataset: 'systemState', range: '2022-02-03', connection: 'API' };
    const readRemaining = async (): Promise<number | undefined> => (await api.budget('systemState', 'API'))?.left;
    const remaining = (await readRemaining()) ?? 0;
    const { requests, now } = await api.price(query);
    assert.deepEqual([requests, now], [1, Math.min(1, remaining)]);
    await api.open(query);
    assert.equal((await api.query(query, { refresh: 'never' })).coverage?.notRequested, 24);
    assert.ok(((await readRemaining()) ?? 0) >= remaining);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await assert.rejects(api.budget('nothing'), { reason: 'badInput' });
    await assert.rejects(api.price({ dataset: 'systemState' }), { reason: 'badInput' });
  });

  it('rejects an invalid query, a canceled query and one that the service rejects, each with a reason', async () => {
    const readReason = async (query: unknown, signal?: AbortSignal): Promise<unknown> =>
      api.query(query as Parameters<GridDataApi['query']>[0], signal ? { signal } : {}).then(
        () => 'none',
        (error: unknown) => (error as { reason?: unknown }).reason,
      );
    assert.equal(await readReason({ dataset: 'nothing', range: 'today' }), 'badInput');
    assert.equal(await readReason({ dataset: 'systemState', range: 'whenever' }), 'badInput');
    assert.equal(await readReason({ dataset: 'systemState', start: '2023-01-01', end: '2023-01-02' }), 'badInput');
    assert.equal(await readReason({ dataset: 'systemState', range: 'today', connection: 'nobody' }), 'badInput');
    const params = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, index]));
    for (const tooLarge of [
      { params },
      { params: { ['p'.repeat(201)]: 1 } },
      { params: { p: 'x'.repeat(201) } },
      { connection: 'x'.repeat(10_000_000) },
    ])
      await assert.rejects(api.query({ dataset: 'systemState', range: '2023-05-01', ...tooLarge }), {
        reason: 'badInput',
        message: 'A query has at most 100 parameters, and no text longer than 200 characters.',
      });
    assert.equal(
      await readReason({ dataset: 'systemState', range: '2023-05-01', interval: '5m', connection: 'API' }),
      'badRequest',
    );
    assert.equal(
      await readReason({ dataset: 'systemState', range: '2023-05-01', connection: 'API' }, AbortSignal.abort()),
      'cancelled',
    );
  });
});
