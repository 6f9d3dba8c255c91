import assert from 'node:assert/strict';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import type { FaultRule } from '../../../../src/sandbox/faults/faultRules.ts';
import { parseResponse, fakeService, gridStress, noon, range, systemState } from '../fakes.ts';

const day = range(noon - 24 * 3_600_000, noon);
const createRule = (kind: FaultRule['kind'], amount = 0, more: Partial<FaultRule> = {}): FaultRule => ({
  kind,
  amount,
  rate: 1,
  scope: undefined,
  ...more,
});
const createServiceWith = (...rules: readonly FaultRule[]) => fakeService({ faults: new FaultInjector(1, rules) });

describe('FaultInjector', () => {
  const listKinds = (board: FaultInjector) =>
    Array.from({ length: 500 }, () =>
      board
        .draw('features')
        .rules.map(({ kind }) => kind)
        .join('+'),
    );

  it('injects the same faults for the same traffic and seed, at the configured rate', () => {
    const rules = [createRule('error', 503, { rate: 0.3 }), createRule('latency', 5, { rate: 0.1 })];
    const [first, repeated, otherSeed] = [1, 1, 2].map(seed => listKinds(new FaultInjector(seed, rules)));
    assert.deepEqual(first, repeated);
    assert.notDeepEqual(first, otherSeed);
    const share = (first?.filter(met => met.includes('error')).length ?? 0) / 500;
    assert.ok(share > 0.24 && share < 0.36, `${share}`);
  });

  it('restarts with new rules, and injects none without rules', () => {
    const rules = [createRule('error', 503, { rate: 0.3 })];
    const board = new FaultInjector(1, rules);
    const first = listKinds(board);
    board.set(rules);
    assert.deepEqual(listKinds(board), first);
    board.set([]);
    assert.deepEqual(new Set(listKinds(board)), new Set(['']));
    assert.deepEqual(board.rules, []);
  });

  it('injects no fault into the other scope', () => {
    const board = new FaultInjector(1, [createRule('error', 503, { scope: 'normalized_data' })]);
    assert.equal(board.draw('features').rules.length, 0);
    assert.equal(board.draw('normalized_data').rules.length, 1);
  });
});

describe('sandbox with faults', () => {
  it('reports no fault when none is enabled', async () => {
    for (const service of [fakeService(), createServiceWith()])
      assert.equal((await service.request(systemState + day)).headers.get('x-sandbox-fault'), null);
  });

  it('injects an error, an HTML page or a storm, and reports it', async () => {
    for (const [fault, status, expectedHeader] of [
      [createRule('error', 503), 503, 'error=503'],
      [createRule('html', 502), 502, 'html=502'],
      [createRule('storm', 30), 429, 'storm=30'],
    ] as const) {
      const { request } = createServiceWith(fault);
      const response = await request(systemState + day);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('x-sandbox-fault'), expectedHeader);
      const isPage = response.headers.get('content-type')?.startsWith('text/html');
      assert.equal(isPage, fault.kind === 'html');
      if (status === 429) assert.equal(response.headers.get('retry-after'), '30');
    }
  });

  it('counts no request that a storm rejects, but counts each request with another fault', async () => {
    const board = new FaultInjector(1, [createRule('storm', 30)]);
    const { request } = fakeService({ faults: board });
    for (let sent = 0; sent < 20; sent++) await request(gridStress + day);
    board.set([createRule('error', 500)]);
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await request(gridStress + day)).status);
    assert.deepEqual(statuses, [500, 500, 500, 429]);
    assert.deepEqual(board.metCounts, { storm: 20, error: 3 });
  });

  it('injects no fault into a request without read access', async () => {
    const { request } = createServiceWith(createRule('error', 503));
    const response = await request(systemState + day, { key: undefined });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('x-sandbox-fault'), null);
  });

  it('delays the newest data, and reports it', async () => {
    const { data, meta } = await parseResponse(
      await createServiceWith(createRule('late', 6)).request(systemState + day),
    );
    assert.equal(data.at(-1)?.['ts'], '2023-06-15T05:00:00Z');
    assert.deepEqual([meta['data_delay'], meta['last_available']], [true, '2023-06-15T05:00:00Z']);
  });

  it('omits the same share of hours each time, also from daily data', async () => {
    const { request } = createServiceWith(createRule('holes', 40));
    const week = range(noon - 168 * 3_600_000, noon);
    const listTimes = async () => (await parseResponse(await request(systemState + week))).data.map(({ ts }) => ts);
    const first = await listTimes();
    assert.ok(first.length > 70 && first.length < 130, `${first.length} of 168`);
    assert.deepEqual(await listTimes(), first);
    const stress = await parseResponse(await request(gridStress + week));
    assert.deepEqual(
      stress.data.map(({ ts }) => ts),
      first,
    );
    const none = await parseResponse(
      await createServiceWith(createRule('holes', 100)).request(`${systemState}${week}&interval=1d`),
    );
    assert.deepEqual(none.data, []);
  });

  it('inflates a response without making it invalid', async () => {
    const response = await createServiceWith(createRule('oversize', 3)).request(systemState + day);
    const text = await response.text();
    assert.ok(text.length > 3 * 1_048_576);
    const plain = await fakeService().request(systemState + day);
    assert.deepEqual(JSON.parse(text), await plain.json());
  });

  it('omits the configured hours', async () => {
    const { request, publication } = fakeService();
    publication.holes = new Set([noon / 3_600_000 - 2]);
    const { data } = await parseResponse(await request(systemState + range(noon - 3 * 3_600_000, noon)));
    assert.deepEqual(
      data.map(({ ts }) => ts),
      ['2023-06-15T09:00:00Z', '2023-06-15T11:00:00Z'],
    );
  });

  it('uses a configured present, while limits follow the clock', async () => {
    const { request, publication } = fakeService();
    publication.setNow(noon - 5 * 3_600_000);
    const { data } = await parseResponse(await request(systemState + day));
    assert.equal(data.at(-1)?.['ts'], '2023-06-15T06:00:00Z');
    publication.setNow(undefined);
    assert.equal((await parseResponse(await request(systemState + day))).data.at(-1)?.['ts'], '2023-06-15T11:00:00Z');
  });
});
