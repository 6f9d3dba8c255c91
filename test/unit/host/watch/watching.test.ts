import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { ResolvedQuery } from '../../../../src/core/query/query.ts';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import { ConnectionChoices } from '../../../../src/host/connections/connectionChoices.ts';
import { pinnedQuery, PinnedStress, ReportedPauses, Watching } from '../../../../src/host/watch/watching.ts';
import { changeAlerts, createSwitch, addAlert } from '../../../../src/core/watch/watchedQuery.ts';
import { WatchEdits } from '../../../../src/host/watch/watchEdits.ts';
import { WatchConsent } from '../../../../src/host/watch/watchConsent.ts';
import { Connections } from '../../../../src/service/connections/connections.ts';
import { QueryEngine } from '../../../../src/service/query/queryEngine.ts';
import { ServiceClock } from '../../../../src/service/client/serviceClock.ts';
import { GridWorld, enterGate } from '../../service/gridWorld.ts';
import { FakeSecrets, FakeState } from '../../service/storeFakes.ts';
import { settle, VirtualClock } from '../../service/virtualClock.ts';
import { MemoryAlertHistories, minute } from '../../service/watch/watchWorld.ts';
import { FakeQueries, high, createWatchedItem } from './fakes.ts';
import { decode } from '../../../../src/core/decode/decode.ts';
import { gridStressFields } from '../../../../src/shared/fields.ts';

const hour = 60 * minute;

/**
 * Creates a window with two connections, at 00:10, and approves the refresh of the queries. The service returns a stress index of 0.7,
 * or fails after `failWith`.
 */
async function setUp(...items: Parameters<typeof createWatchedItem>[]) {
  const clock = new VirtualClock(Date.parse('2026-05-04T00:10:00Z'));
  const state = new FakeState();
  let ids = 0;
  const connections = new Connections({ state, secrets: new FakeSecrets(), newId: () => `c${(ids += 1)}` });
  for (const name of ['First', 'Second'])
    await connections.add({
      name,
      service: 'other',
      baseUrl: `https://${name}.example.org`,
      key: 'not-a-real-key',
      state: 'works',
    });
  const world = new GridWorld('2026-05-04T00:10:00Z');
  const requests: string[] = [];
  const events: string[] = [];
  let fail: (() => void) | undefined;
  const deps = world.deps({
    clock,
    serviceClock: new ServiceClock(clock, new FakeState()),
    fetcher: {
      fetch: async (query: ResolvedQuery, { name }, options) => {
        if (!(await enterGate(options ?? {}))) return { unneeded: true, requestsSpent: 0 };
        requests.push(`${name} ${query.dataset.id}`);
        fail?.();
        const data: object[] = [];
        for (let ms = query.start; ms + hour <= clock.now() && ms < query.end; ms += hour)
          data.push({ ts: new Date(ms).toISOString(), value: 0.7 });
        const times = { respondedAt: clock.now(), sentAt: clock.now(), headAt: clock.now() };
        return { decoded: decode([data]), bodies: [], traces: [], requestsSpent: 1, incomplete: false, ...times };
      },
    },
  });
  const engine = new QueryEngine({
    ...deps,
    endpoints: {
      resolve: ({ name, baseUrl }) => Promise.resolve({ name, baseUrl, source: baseUrl, key: 'not-a-real-key' }),
      noteResult: () => Promise.resolve(),
      noteFailure: async ({ id }, _, error) => {
        if (error instanceof GridError && error.reason === 'keyRejected') await connections.setState(id, 'rejected');
      },
    },
  });
  const queries = new FakeQueries(...items.map(args => createWatchedItem(...args)));
  const consent = new WatchConsent(new FakeState());
  const pin = new PinnedStress(state);
  const choices = new ConnectionChoices({ connections, state });
  for (const item of queries.all()) {
    const connection = choices.find(item.query.connection);
    if (item.query.keepFresh && connection) await choices.approveConnection([item], connection);
  }
  const edits = new WatchEdits({ queries, consent, choices, snoozes: { snooze: async () => Promise.resolve() } });
  const open = (): Watching =>
    new Watching({
      queries,
      consent,
      pin,
      choices,
      connections,
      clock,
      histories: new MemoryAlertHistories(),
      reported: new ReportedPauses(state),
      engine,
      nowAt: () => clock.now(),
      serviceClock: { now: () => clock.now() },
      random: () => 0.5,
      logger: { error: line => events.push(line) },
      events: {
        refreshed: ({ dataset }, { name }) => events.push(`refreshed ${dataset} ${name}`),
        alerted: ({ id }, { name }, notifications) => events.push(`alerted ${id} ${name} ${notifications.length}`),
        stopped: ({ reason }, { name }) => events.push(`stopped ${name} ${reason}`),
        lost: (name, count) => events.push(`lost ${name} ${count}`),
      },
    });
  const advance = async (ms: number): Promise<void> => {
    for (const end = clock.now() + ms; clock.now() < end;) {
      await clock.advance(Math.min(minute, end - clock.now()));
      await settle();
    }
  };
  const failWith = (error: GridError | undefined): void => {
    fail = error && (() => assert.fail(error));
  };
  return { clock, choices, connections, queries, consent, edits, pin, open, requests, events, advance, failWith };
}

describe('hourly refresh in a window', () => {
  it('requests nothing for queries without hourly refresh, or for a workspace without consent', async () => {
    const { open, requests, events, advance, clock, consent, queries } = await setUp(
      ['personal/a'],
      ['file/b', { keepFresh: true, alerts: [high] }, 'workspace'],
    );
    const watching = open();
    await advance(3 * hour);
    assert.deepEqual([requests, events, watching.pinned, clock.pending], [[], [], undefined, 0]);
    const [, item = createWatchedItem('')] = queries.all();
    await consent.saveDecisions([{ item, allowed: true }]);
    await advance(hour);
    assert.deepEqual(events, ['refreshed gridStress Second', 'refreshed gridStress Second', 'alerted file/b Second 1']);
    watching.dispose();
    assert.equal(clock.pending, 0);
  });

  it('refreshes with the named connection or the active one, but not if the name is unknown', async () => {
    const { open, requests, advance, connections } = await setUp(
      ['personal/a', { keepFresh: true, connection: 'First' }],
      ['personal/b', { keepFresh: true }],
      ['personal/c', { keepFresh: true, connection: 'Gone' }],
    );
    open();
    await advance(20 * minute);
    assert.deepEqual(requests.toSorted(), ['First gridStress', 'Second gridStress']);
    await connections.activate('c1');
    await advance(20 * minute);
    assert.equal(requests.length, 2, 'the hours of the first connection are already archived');
  });

  it('continues with the same connection when a different one becomes active, until the user selects a connection', async () => {
    const { open, requests, advance, connections, choices, queries } = await setUp(
      ['personal/a', { keepFresh: true, alerts: [high] }],
      ['personal/b', { keepFresh: true, connection: 'First' }],
    );
    open();
    await advance(20 * minute);
    assert.deepEqual(requests.splice(0).toSorted(), ['First gridStress', 'Second gridStress']);
    await connections.activate('c1');
    await advance(hour);
    assert.deepEqual(requests.splice(0).toSorted(), ['First gridStress', 'Second gridStress']);
    const [a = createWatchedItem(''), b = createWatchedItem('')] = queries.all();
    assert.deepEqual([choices.getConnection(a)?.name, choices.getConnection(b)?.name], ['Second', 'First']);
    await choices.approveConnection([a], connections.findById('c1') ?? assert.fail());
    await advance(2 * hour);
    assert.deepEqual(new Set(requests.splice(0)), new Set(['First gridStress']));
  });

  it('waits for consent if another machine enabled the refresh, even if the named connection exists here', async () => {
    const { open, requests, advance, connections, choices, queries, edits } = await setUp();
    open();
    const synced = createWatchedItem('personal/a', { keepFresh: true, alerts: [high] });
    const named = createWatchedItem('personal/b', { keepFresh: true, connection: 'First' });
    queries.set(synced, named);
    await advance(2 * hour);
    assert.deepEqual([requests, choices.isWaiting(synced), choices.isWaiting(named)], [[], true, true]);
    await edits.changeAlerts(synced, changeAlerts(['high'], createSwitch(false)));
    await advance(hour);
    assert.deepEqual(
      [requests, choices.getConnection(synced)?.name],
      [[], 'Second'],
      'a manual run uses the active connection',
    );
    await choices.approveConnection([named], undefined);
    await choices.approveConnection([synced], connections.findById('c1'));
    await advance(2 * hour);
    assert.deepEqual(new Set(requests), new Set(['First gridStress']));
    assert.deepEqual([choices.isWaiting(synced), choices.isWaiting(named)], [false, false]);
    assert.deepEqual([choices.getRefreshConnection(named), choices.getConnection(named)?.name], [undefined, 'First']);
    const queryOfOtherConnection = { ...synced, query: { ...synced.query, connection: 'Second' } };
    assert.deepEqual(
      [choices.isWaiting(queryOfOtherConnection), choices.getRefreshConnection(queryOfOtherConnection)],
      [true, undefined],
    );
  });

  it("approves the query's connection when the user enables the refresh or adds the first alert", async () => {
    const { open, requests, advance, queries, edits } = await setUp(
      ['personal/a', { connection: 'First' }],
      ['personal/b'],
    );
    open();
    const [a = createWatchedItem(''), b = createWatchedItem('')] = queries.all();
    await edits.keepFresh(a);
    await edits.changeAlerts(b, addAlert('high', { kind: 'condition', condition: 'value >= 0.6' }));
    await advance(20 * minute);
    assert.deepEqual(requests.toSorted(), ['First gridStress', 'Second gridStress']);
  });

  it('ends the refresh when its connection is removed, even if another one has the same name', async () => {
    const { open, requests, events, advance, connections } = await setUp(['personal/a', { keepFresh: true }]);
    open();
    await advance(20 * minute);
    const second = connections.findByName('Second') ?? assert.fail();
    await connections.remove(second);
    await connections.add({ ...second, key: 'not-a-real-key' });
    requests.length = 0;
    await advance(2 * hour);
    assert.deepEqual(requests, []);
    assert.ok(events.includes('lost Second 1'), events.join());
  });

  it('uses the active connection when the refresh is enabled again', async () => {
    const { open, requests, advance, connections, queries, edits } = await setUp(['personal/a', { keepFresh: true }]);
    open();
    await advance(20 * minute);
    await connections.activate('c1');
    const getItem = () => queries.all()[0] ?? assert.fail();
    await edits.stopKeepingFresh(getItem());
    await edits.keepFresh(getItem());
    requests.length = 0;
    await advance(hour);
    assert.deepEqual(new Set(requests), new Set(['First gridStress']));
  });

  it('uses a renamed connection, or the one that the user selected for an unknown name', async () => {
    const { open, requests, advance, choices, connections } = await setUp([
      'personal/a',
      { keepFresh: true, connection: 'First' },
    ]);
    open();
    await advance(20 * minute);
    const [first] = connections.list();
    assert.ok(first);
    await connections.rename('c1', 'Renamed');
    await advance(hour);
    assert.deepEqual(requests, ['First gridStress', 'Renamed gridStress']);
    const named = createWatchedItem('personal/b', { connection: 'First' });
    assert.equal(choices.getConnection(named), undefined, 'no connection has that name');
    await choices.rememberChoice('First', first);
    assert.equal(choices.getConnection(named)?.name, 'Renamed');
  });

  it('updates the pinned stress index of a connection hourly, or reports the error', async () => {
    const { open, requests, advance, pin, failWith, connections, events } = await setUp();
    const watching = open();
    const pinned = () => watching.pinned;
    let changes = 0;
    watching.onDidChangePinned(() => (changes += 1));
    failWith(new GridError('serverError', { requestsSpent: 1 }));
    await pin.pin('c1');
    await advance(20 * minute);
    assert.deepEqual([pinned()?.latest, pinned()?.error?.reason], [undefined, 'serverError']);
    failWith(undefined);
    await advance(3 * hour);
    const latest = Date.parse('2026-05-04T02:00:00Z');
    const field = gridStressFields.get('value');
    const value = { hour: latest, end: latest + hour, value: 0.7, band: 'high', field };
    const first = connections.findById('c1');
    assert.ok(first);
    assert.deepEqual(pinned(), { connection: first, latest: value, error: undefined });
    failWith(new GridError('unreachable'));
    await advance(hour);
    assert.deepEqual([pinned()?.latest, pinned()?.error?.reason], [value, 'unreachable']);
    // No request reached the service in the last hour, so there was one retry.
    assert.deepEqual([requests.length, pinnedQuery.dataset], [6, 'gridStress']);
    assert.ok(changes >= 4);
    await connections.remove(first);
    assert.deepEqual([pinned(), events.filter(line => line.startsWith('lost'))], [undefined, []]);
    await pin.pin(undefined);
    await advance(2 * hour);
    assert.equal(requests.length, 6);
  });

  it('sends one request an hour for several queries of the same series', async () => {
    for (const ranges of [
      ['last 24 hours', 'last 7 days', 'yesterday'],
      ['last 7 days', 'last 24 hours', 'last 48 hours'],
    ]) {
      const query = (range: string) => ({ dataset: 'gridStress', range, interval: '1h', params: {}, timeZone: 'UTC' });
      const items = ranges.map((range): [string, Partial<SavedQuery>] => {
        return [`personal/${range}`, { keepFresh: true, query: query(range) }];
      });
      const { open, requests, events, advance } = await setUp(...items);
      open();
      for (let hours = 1; hours <= 4; hours++) {
        await advance(hour);
        assert.deepEqual([requests.length, events.length], [hours + 1, 3 * (hours + 1)]);
      }
    }
  });

  it('reports a rejected key only once, even after a restart, and continues when the key is replaced', async () => {
    const { open, requests, events, advance, failWith, connections } = await setUp(['personal/a', { keepFresh: true }]);
    const first = open();
    failWith(new GridError('keyRejected', { requestsSpent: 1 }));
    await advance(3 * hour);
    assert.deepEqual([events, requests.length], [['stopped Second keyRejected'], 1]);
    first.dispose();
    open();
    await advance(hour);
    assert.deepEqual(events, ['stopped Second keyRejected']);
    failWith(undefined);
    const second = connections.findById('c2');
    assert.ok(second);
    await connections.replaceKey(second, 'not-a-real-key-either');
    await advance(10 * minute);
    assert.deepEqual(events.slice(1), ['refreshed gridStress Second']);
    failWith(new GridError('keyRejected', { requestsSpent: 1 }));
    await advance(hour);
    // Archived rows are still returned.
    assert.deepEqual(events.slice(2), ['stopped Second keyRejected', 'refreshed gridStress Second']);
  });

  it('reports only once that the connection of hourly refreshes was removed', async () => {
    const { open, events, advance, connections, requests } = await setUp(
      ['personal/a', { keepFresh: true, connection: 'First' }],
      ['personal/b', { keepFresh: true, connection: 'First' }],
      ['personal/c', { connection: 'First' }],
      ['personal/d', { keepFresh: true }],
    );
    open();
    await advance(20 * minute);
    const first = connections.findById('c1');
    assert.ok(first);
    events.splice(0);
    const previousCount = requests.filter(line => line.startsWith('First')).length;
    await connections.remove(first);
    await advance(2 * hour);
    assert.deepEqual(
      events.filter(line => !line.startsWith('refreshed')),
      ['lost First 2'],
    );
    assert.equal(requests.filter(line => line.startsWith('First')).length, previousCount);
  });
});
