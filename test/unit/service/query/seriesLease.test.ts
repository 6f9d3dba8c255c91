import assert from 'node:assert/strict';
import { SeriesLease } from '../../../../src/service/query/seriesLease.ts';
import { VirtualClock } from '../virtualClock.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };

/** A series that others are done with now and then, and that may be held by one of them. */
class FakeLock {
  done = 0;
  taken = false;
  readonly events: string[] = [];

  acquire(): Promise<(() => Promise<void>) | undefined> {
    if (this.taken) return Promise.resolve(undefined);
    this.events.push('held');
    return Promise.resolve(() => Promise.resolve(void this.events.push('free')));
  }

  isHeldElsewhere(): Promise<boolean> {
    return Promise.resolve(this.taken);
  }

  readVersion(): Promise<string> {
    return Promise.resolve(String(this.done));
  }
}

describe('SeriesLease', () => {
  let clock: VirtualClock;
  let lock: FakeLock;
  let due: boolean;
  let shared: boolean[];
  const turnOf = (signal?: AbortSignal): SeriesLease =>
    new SeriesLease({ lock, clock }, series, { signal, onWaiting: waits => shared.push(waits) }, () =>
      Promise.resolve(due),
    );

  beforeEach(() => {
    clock = new VirtualClock();
    lock = new FakeLock();
    due = true;
    shared = [];
  });

  it('holds the series only between permit and response', async () => {
    const turn = turnOf();
    turn.waitForPermit();
    await clock.advance(20_000);
    assert.deepEqual(lock.events, [], 'a query that waits for its budget keeps nobody from the series');
    assert.equal(await turn.enter(), 'go');
    assert.deepEqual(lock.events, ['held']);
    await turn.end();
    assert.deepEqual([lock.events, shared], [['held', 'free'], []]);
  });

  it('releases the series after a failed attempt and while a page waits for its budget', async () => {
    const turn = turnOf();
    await turn.enter();
    await turn.leave();
    assert.deepEqual(lock.events, ['held', 'free']);
    await turn.enter();
    turn.waitForPermit();
    await clock.advance(1_000);
    assert.deepEqual(lock.events, ['held', 'free', 'held', 'free']);
    await turn.enter();
    await turn.end();
    assert.equal(clock.pending, 0);
  });

  it('releases the permit while it waits for the series, and reports the wait', async () => {
    lock.taken = true;
    const turn = turnOf();
    assert.equal(await turn.enter(), 'busy');
    assert.deepEqual(shared, [true]);
    let free = false;
    const waiting = turn.waitUntilFree().then(() => (free = true));
    await clock.advance(100_000);
    assert.equal(free, false, 'an answer may take two minutes');
    lock.taken = false;
    await clock.advance(100);
    await waiting;
    assert.equal(await turn.enter(), 'go');
    assert.deepEqual(shared, [true, false]);
    await turn.end();
  });

  it('ends the call as soon as another one has fetched the hours', async () => {
    lock.taken = true;
    const turn = turnOf();
    await turn.enter();
    const waiting = assert.rejects(turn.waitUntilFree());
    await clock.advance(1_000);
    due = false;
    await clock.advance(1_000);
    assert.equal(turn.signal.aborted, false, 'nobody said that there is anything new');
    lock.done += 1;
    await clock.advance(100);
    await waiting;
    await turn.end();
    assert.deepEqual([turn.isFetchedElsewhere, shared, clock.pending], [true, [true, false], 0]);
  });

  it('stops waiting for the series with the query, and continues when the holder hangs', async () => {
    lock.taken = true;
    const query = new AbortController();
    const cancelled = turnOf(query.signal);
    const refused = assert.rejects(cancelled.waitUntilFree(), /changed my mind/);
    await clock.advance(1_000);
    query.abort(new Error('changed my mind'));
    await refused;
    assert.equal(clock.pending, 0);
    const patient = turnOf();
    const waiting = patient.waitUntilFree();
    await clock.advance(301_000);
    await waiting;
    assert.equal(await patient.enter(), 'go');
  });

  it('ends the wait when another window has fetched the hours', async () => {
    const turn = turnOf();
    turn.waitForPermit();
    await clock.advance(5_000);
    lock.done += 1;
    await clock.advance(5_000);
    assert.equal(turn.signal.aborted, false, 'other hours were fetched');
    due = false;
    lock.done += 1;
    await clock.advance(1_000);
    assert.deepEqual([turn.signal.aborted, turn.isFetchedElsewhere], [true, true]);
  });

  it('keeps a request that is in flight', async () => {
    const turn = turnOf();
    turn.waitForPermit();
    await clock.advance(1_000);
    await turn.enter();
    due = false;
    lock.done += 1;
    await clock.advance(10_000);
    assert.equal(turn.signal.aborted, false);
  });

  it('holds the series for all pages without a wait, and reports whether each is needed', async () => {
    const turn = turnOf();
    assert.equal(await turn.enter(), 'go');
    due = false;
    assert.equal(await turn.enter(), 'unneeded');
    assert.deepEqual(lock.events, ['held']);
  });

  it('distinguishes a canceled query from hours fetched elsewhere', async () => {
    const query = new AbortController();
    const turn = turnOf(query.signal);
    turn.waitForPermit();
    query.abort();
    await clock.advance(1_000);
    assert.deepEqual([turn.signal.aborted, turn.isFetchedElsewhere], [true, false]);
    await turn.end();
    assert.equal(clock.pending, 0, 'nothing is left running');
  });
});
