import assert from 'node:assert/strict';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import type { FaultRule } from '../../../../src/sandbox/faults/faultRules.ts';
import { parseResponse, fakeService, gridStress, noon, range, systemState } from '../fakes.ts';

const dayRange = range(noon - 24 * 3_600_000, noon);
const createRule = (kind: FaultRule['kind'], amount = 0, more: Partial<FaultRule> = {}): FaultRule => ({
  kind,
  amount,
  rate: 1,
  scope: undefined,
  ...more,
});
const createServiceWith = (...rules: readonly FaultRule[]) => fakeService({ faults: new FaultInjector(1, rules) });

describe('FaultInjector', () => {
  const listKinds = (injector: FaultInjector) =>
    Array.from({ length: 500 }, () =>
      injector
        .draw('features')
        .rules.map(({ kind }) => kind)
        .join('+'),
    );

  it('injects the same faults for the same seed, at the configured rate', () => {
    const rules = [createRule('error', 503, { rate: 0.3 }), createRule('latency', 5, { rate: 0.1 })];
    const [first, repeated, otherSeed] = [1, 1, 2].map(seed => listKinds(new FaultInjector(seed, rules)));
    assert.deepEqual(first, repeated);
    assert.notDeepEqual(first, otherSeed);
    const share = (first?.filter(kinds => kinds.includes('error')).length ?? 0) / 500;
    assert.ok(share > 0.24 && share < 0.36, `${share}`);
  });

  it('repeats its faults after the same rules are set again, and injects no fault without rules', () => {
    const rules = [createRule('error', 503, { rate: 0.3 })];
    const injector = new FaultInjector(1, rules);
    const first = listKinds(injector);
    injector.set(rules);
    assert.deepEqual(listKinds(injector), first);
    injector.set([]);
    assert.deepEqual(new Set(listKinds(injector)), new Set(['']));
    assert.deepEqual(injector.rules, []);
  });

  it('injects faults only into the scope of the rule', () => {
    const injector = new FaultInjector(1, [createRule('error', 503, { scope: 'normalized_data' })]);
    assert.equal(injector.draw('features').rules.length, 0);
    assert.equal(injector.draw('normalized_data').rules.length, 1);
  });
});

describe('the sandbox with faults', () => {
  it('sends no x-sandbox-fault header without faults', async () => {
    for (const service of [fakeService(), createServiceWith()])
      assert.equal((await service.request(systemState + dayRange)).headers.get('x-sandbox-fault'), null);
  });

  it('responds with an error, an HTML page, or a 429 in a storm, and has the fault in the x-sandbox-fault header', async () => {
    for (const [fault, status, expectedHeader] of [
      [createRule('error', 503), 503, 'error=503'],
      [createRule('html', 502), 502, 'html=502'],
      [createRule('storm', 30), 429, 'storm=30'],
    ] as const) {
      const { request } = createServiceWith(fault);
      const response = await request(systemState + dayRange);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('x-sandbox-fault'), expectedHeader);
      const isPage = response.headers.get('content-type')?.startsWith('text/html');
      assert.equal(isPage, fault.kind === 'html');
      if (status === 429) assert.equal(response.headers.get('retry-after'), '30');
    }
  });

  it('excludes requests in a storm from the rate limit, but includes requests that meet an error', async () => {
    const injector = new FaultInjector(1, [createRule('storm', 30)]);
    const { request } = fakeService({ faults: injector });
    for (let sent = 0; sent < 20; sent++) await request(gridStress + dayRange);
    injector.set([createRule('error', 500)]);
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await request(gridStress + dayRange)).status);
    assert.deepEqual(statuses, [500, 500, 500, 429]);
    assert.deepEqual(injector.metCounts, { storm: 20, error: 3 });
  });

  it('injects no fault into a request without a valid key', async () => {
    const { request } = createServiceWith(createRule('error', 503));
    const response = await request(systemState + dayRange, { key: undefined });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('x-sandbox-fault'), null);
  });

  it('omits the newest hours if data is late, and reports the delay in meta', async () => {
    const { data, meta } = await parseResponse(
      await createServiceWith(createRule('late', 6)).request(systemState + dayRange),
    );
    assert.equal(data.at(-1)?.['ts'], '2023-06-15T05:00:00Z');
    assert.deepEqual([meta['data_delay'], meta['last_available']], [true, '2023-06-15T05:00:00Z']);
  });

  it('omits the same hours from all responses of both datasets, and omits days without hours', async () => {
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

  it('makes a response larger without changing its data', async () => {
    const response = await createServiceWith(createRule('oversize', 3)).request(systemState + dayRange);
    const text = await response.text();
    assert.ok(text.length > 3 * 1_048_576);
    const normalResponse = await fakeService().request(systemState + dayRange);
    assert.deepEqual(JSON.parse(text), await normalResponse.json());
  });

  it('omits the hours in the holes of the publication', async () => {
    const { request, publication } = fakeService();
    publication.holes = new Set([noon / 3_600_000 - 2]);
    const { data } = await parseResponse(await request(systemState + range(noon - 3 * 3_600_000, noon)));
    assert.deepEqual(
      data.map(({ ts }) => ts),
      ['2023-06-15T09:00:00Z', '2023-06-15T11:00:00Z'],
    );
  });

  it('publishes only the hours that have ended at the time set by setNow', async () => {
    const { request, publication } = fakeService();
    publication.setNow(noon - 5 * 3_600_000);
    const { data } = await parseResponse(await request(systemState + dayRange));
    assert.equal(data.at(-1)?.['ts'], '2023-06-15T06:00:00Z');
    publication.setNow(undefined);
    assert.equal(
      (await parseResponse(await request(systemState + dayRange))).data.at(-1)?.['ts'],
      '2023-06-15T11:00:00Z',
    );
  });
});
