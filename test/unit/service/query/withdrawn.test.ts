import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { Archive } from '../../../../src/service/archive/archive.ts';
import type { Refresh } from '../../../../src/service/query/run.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { createTestArchive } from '../archive/archiveSetUp.ts';
import { GridWorld, hour, listInstants } from '../gridWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const day = '2026-11-20';
const dayStart = Date.parse(day);
const five = dayStart + 5 * hour;

function listRows(frame: Frame | undefined): [string, unknown][] {
  return frame ? Array.from(generateRecords(frame), row => [String(row['ts']), row['residual_demand_mw']]) : [];
}

describe('an hour that the service withdrew', () => {
  let world: GridWorld;
  beforeEach(async () => {
    world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query(day), world.endpoint);
    world.now += 10 * 60_000;
    world.holes.add(five);
  });

  const fetchAgain = async (refresh: Refresh = 'always'): Promise<Result> =>
    world.window().run(world.query(day), world.endpoint, { refresh });

  it('removes a withdrawn hour from table, coverage and archive', async () => {
    for (const refresh of ['always', 'never'] as const) {
      const result = await fetchAgain(refresh);
      assert.equal(listInstants(result).includes(formatInstant(five)), false, refresh);
      assert.deepEqual([result.frame?.rowCount, result.coverage?.present, result.coverage?.missing], [23, 23, 1]);
    }
  });

  it('reports a withdrawn hour once, with its former row', async () => {
    const { revisions } = await fetchAgain();
    assert.deepEqual([revisions?.revised, revisions?.withdrawn], [0, 1]);
    assert.equal(revisions?.since, Date.parse('2026-11-21T08:05Z'));
    assert.deepEqual(listRows(revisions.before), [[formatInstant(five), five / hour]]);
    assert.deepEqual(listRows(revisions.after), []);
    world.now += 60_000;
    assert.equal((await fetchAgain()).revisions, undefined);
  });

  it('keeps a withdrawn hour while pages of the response are missing', async () => {
    world.firstHours = 12;
    const result = await fetchAgain();
    assert.deepEqual([result.frame?.rowCount, result.revisions], [24, undefined]);
    assert.equal((await fetchAgain('never')).frame?.rowCount, 24);
  });

  it('keeps a withdrawn hour when the service reports its data as delayed from there', async () => {
    world.meta = { data_delay: true, last_available: formatInstant(dayStart + 4 * hour) };
    assert.equal((await fetchAgain()).frame?.rowCount, 24);
    world.now += 60_000;
    world.meta = { data_delay: true, last_available: formatInstant(dayStart + 6 * hour) };
    const { frame, revisions } = await fetchAgain();
    assert.deepEqual([frame?.rowCount, revisions?.withdrawn], [23, 1]);
  });

  it('keeps a withdrawn hour while its request fails', async () => {
    world.beforeResponse = () => {
      throw new Error('no answer');
    };
    await assert.rejects(fetchAgain());
    assert.equal((await fetchAgain('never')).frame?.rowCount, 24);
  });

  it('removes a field that only the withdrawn hour had', async () => {
    world.extraFields = () => ({ only_once_mw: 1 });
    world.now += 60_000;
    await fetchAgain();
    world.extraFields = () => ({});
    world.now += 60_000;
    const { frame, revisions } = await fetchAgain();
    assert.deepEqual(
      frame?.columns.map(({ name }) => name),
      ['ts', 'residual_demand_mw'],
    );
    assert.equal(revisions?.revised, 1);
  });
});

describe('an hour with two rows', () => {
  it('keeps both rows when a response is cut off between them', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.rowsAnHour = 2;
    const runQuery = async (refresh: Refresh): Promise<Result> =>
      world.window().run(world.query(day), world.endpoint, { refresh });
    await runQuery('ifStale');
    world.now += 60_000;
    world.revised.set(dayStart, -100).set(five, -100);
    // The response has the hours from 00:00 to 04:00, and the first row of 05:00.
    world.firstHours = 11;
    for (const refresh of ['always', 'never'] as const) {
      const { frame } = await runQuery(refresh);
      const readValues = (ms: number) => listRows(frame).filter(([ts]) => ts === formatInstant(ms));
      assert.equal(frame?.rowCount, 48, refresh);
      assert.deepEqual(
        readValues(dayStart).map(([, value]) => value),
        [-100, -99],
      );
      assert.deepEqual(
        readValues(five).map(([, value]) => value),
        [five / hour, five / hour + 1],
      );
    }
    // An unfinished hour may get more rows than those received.
    const otherWorld = new GridWorld('2026-11-21T08:05Z');
    Object.assign(otherWorld, { rowsAnHour: 2, firstHours: 11 });
    const { frame, coverage } = await otherWorld.window().run(otherWorld.query(day), otherWorld.endpoint);
    assert.deepEqual([frame?.rowCount, coverage?.present], [10, 5]);
  });

  it('returns the rows of the only received hour', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    Object.assign(world, { rowsAnHour: 3, firstHours: 2 });
    assert.equal((await world.window().run(world.query(day), world.endpoint)).frame?.rowCount, 2);
  });
});

describe('an hour that the service revised', () => {
  it('reports a revised hour with both values, unless it was unfinished before', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const today = '2026-11-21';
    await world.window().run(world.query(today), world.endpoint);
    world.now += hour;
    world.revised.set(Date.parse('2026-11-21T03:00Z'), 7);
    const { revisions, frame } = await world.window().run(world.query(today), world.endpoint);
    // 08:00 was published since, which is not a revision.
    assert.equal(frame?.rowCount, 9);
    assert.deepEqual([revisions?.revised, revisions?.withdrawn], [1, 0]);
    const three = '2026-11-21T03:00:00Z';
    assert.deepEqual(listRows(revisions?.before), [[three, Date.parse(three) / hour]]);
    assert.deepEqual(listRows(revisions?.after), [[three, 7]]);
  });
});

/** An event at the service, or a query of the user. */
type Event =
  | { readonly kind: 'publish' | 'withdraw' | 'fillIn'; readonly hour: number }
  | { readonly kind: 'revise'; readonly hour: number; readonly value: number }
  | { readonly kind: 'ask'; readonly from: number; readonly hours: number; readonly refresh: Refresh };

// There are few hours, so that most queries are for hours that have changed.
const hours = 8;
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom('publish', 'withdraw', 'fillIn'), hour: fc.nat(hours - 1) }),
  fc.record({ kind: fc.constant('revise'), hour: fc.nat(hours - 1), value: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constant('ask'),
    from: fc.nat(hours / 2),
    hours: fc.integer({ min: 1, max: hours }),
    refresh: fc.constantFrom('always', 'ifStale', 'missing', 'never'),
  }),
);

/** Replays events, and compares each result with what the service had published when each hour was requested. */
async function replay(events: readonly Event[], archive: (world: GridWorld) => Archive): Promise<void> {
  const world = new GridWorld('2026-11-21T00:05Z');
  const start = Date.parse('2026-11-20T18:00Z');
  const worldArchive = archive(world);
  /** Results are returned before they are written. */
  let pendingWrite: Promise<unknown> = Promise.resolve();
  const merge: Archive['merge'] = async (...answer) => {
    const merging = worldArchive.merge(...answer);
    pendingWrite = Promise.all([pendingWrite, merging]);
    return merging;
  };
  const waiting: Archive = {
    size: async () => worldArchive.size(),
    clear: async () => worldArchive.clear(),
    merge,
    read: async (...asked) => worldArchive.read(...asked),
  };
  const lastValues = new Map<number, number>();
  const requestedAt = new Map<number, number>();
  for (const event of events) {
    world.now += 7_000;
    if (event.kind === 'publish') world.now += hour;
    if (event.kind === 'withdraw') world.holes.add(start + event.hour * hour);
    if (event.kind === 'fillIn') world.holes.delete(start + event.hour * hour);
    if (event.kind === 'revise') world.revised.set(start + event.hour * hour, event.value);
    if (event.kind !== 'ask') continue;
    const from = start + event.from * hour;
    const span = { start: from, end: from + event.hours * hour };
    const query = world.query(`${formatInstant(span.start)}..${formatInstant(span.end)}`);
    const previousCount = world.sentRequests.length;
    const result = await world
      .window({ archive: waiting })
      .run({ ...query, ...span }, world.endpoint, { refresh: event.refresh })
      .catch(() => undefined);
    await pendingWrite;
    let revised = 0;
    let withdrawn = 0;
    for (const part of world.sentRequests.slice(previousCount))
      for (let ms = part.start; ms < part.end; ms += hour) {
        const isPublished = ms + hour <= world.now && !world.holes.has(ms);
        const old = lastValues.get(ms);
        const now = isPublished ? (world.revised.get(ms) ?? ms / hour) : undefined;
        const wasOver = ms + hour <= (requestedAt.get(ms) ?? 0);
        const isChanged = wasOver && old !== undefined && old !== now;
        if (isChanged && now === undefined) withdrawn++;
        if (isChanged && now !== undefined) revised++;
        requestedAt.set(ms, world.now);
        if (now === undefined) lastValues.delete(ms);
        else lastValues.set(ms, now);
      }
    const expected = [...lastValues].filter(([ms]) => ms >= span.start && ms < span.end).sort(([a], [b]) => a - b);
    assert.deepEqual(
      listRows(result?.frame),
      expected.map(([ms, value]) => [formatInstant(ms), value]),
    );
    assert.deepEqual([result?.revisions?.revised ?? 0, result?.revisions?.withdrawn ?? 0], [revised, withdrawn]);
    assert.equal(result?.coverage?.present ?? 0, expected.length);
  }
}

describe('a history of publications, revisions, withdrawals and gaps', () => {
  it('returns each hour as the service last sent it', async () => {
    const history = fc.array(anyEvent, { minLength: 12, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(history, async events => replay(events, world => world.archive)),
      { numRuns: scaleRunCount(150) },
    );
  });

  it('stores each hour as the service last sent it', async () => {
    const history = fc.array(anyEvent, { minLength: 12, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(history, async events => {
        const test = createTestArchive();
        await replay(events, () => test.archive);
        assert.deepEqual(test.errors, []);
      }),
      { numRuns: 20 },
    );
  });
});
