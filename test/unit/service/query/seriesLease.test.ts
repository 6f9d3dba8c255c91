import assert from 'node:assert/strict';
import { SeriesLease } from '../../../../src/service/query/seriesLease.ts';
import { VirtualClock } from '../virtualClock.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };

/** A series that other windows hold and release. */
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
  const createLease = (signal?: AbortSignal): SeriesLease =>
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
    const lease = createLease();
    lease.waitForPermit();
    await clock.advance(20_000);
    assert.deepEqual(lock.events, [], 'a query that waits for its budget does not block the series');
    assert.equal(await lease.enter(), 'go');
    assert.deepEqual(lock.events, ['held']);
    await lease.end();
    assert.deepEqual([lock.events, shared], [['held', 'free'], []]);
  });

  it('releases the series after a failed attempt and while a page waits for its permit', async () => {
    const lease = createLease();
    await lease.enter();
    await lease.leave();
    assert.deepEqual(lock.events, ['held', 'free']);
    await lease.enter();
    lease.waitForPermit();
    await clock.advance(1_000);
    assert.deepEqual(lock.events, ['held', 'free', 'held', 'free']);
    await lease.enter();
    await lease.end();
    assert.equal(clock.pending, 0);
  });

  it('releases the permit while it waits for the series, and reports the wait', async () => {
    lock.taken = true;
    const lease = createLease();
    assert.equal(await lease.enter(), 'busy');
    assert.deepEqual(shared, [true]);
    let free = false;
    const waiting = lease.waitUntilFree().then(() => (free = true));
    await clock.advance(100_000);
    assert.equal(free, false, 'a response may take two minutes');
    lock.taken = false;
    await clock.advance(100);
    await waiting;
    assert.equal(await lease.enter(), 'go');
    assert.deepEqual(shared, [true, false]);
    await lease.end();
  });

  it('ends the call as soon as another one has fetched the hours', async () => {
    lock.taken = true;
    const lease = createLease();
    await lease.enter();
    const waiting = assert.rejects(lease.waitUntilFree());
    await clock.advance(1_000);
    due = false;
    await clock.advance(1_000);
    assert.equal(lease.signal.aborted, false, 'no new hours were reported');
    lock.done += 1;
    await clock.advance(100);
    await waiting;
    await lease.end();
    assert.deepEqual([lease.isFetchedElsewhere, shared, clock.pending], [true, [true, false], 0]);
  });

  it('stops waiting when the query is canceled, and continues when the holder hangs', async () => {
    lock.taken = true;
    const query = new AbortController();
    const cancelled = createLease(query.signal);
    const rejection = assert.rejects(cancelled.waitUntilFree(), /changed my mind/);
    await clock.advance(1_000);
    query.abort(new Error('changed my mind'));
    await rejection;
    assert.equal(clock.pending, 0);
    const waitingLease = createLease();
    const waiting = waitingLease.waitUntilFree();
    await clock.advance(301_000);
    await waiting;
    assert.equal(await waitingLease.enter(), 'go');
  });

  it('ends the wait when another window has fetched the hours', async () => {
    const lease = createLease();
    lease.waitForPermit();
    await clock.advance(5_000);
    lock.done += 1;
    await clock.advance(5_000);
    assert.equal(lease.signal.aborted, false, 'other hours were fetched');
    due = false;
    lock.done += 1;
    await clock.advance(1_000);
    assert.deepEqual([lease.signal.aborted, lease.isFetchedElsewhere], [true, true]);
  });

  it('does not abort a request that is in flight', async () => {
    const lease = createLease();
    lease.waitForPermit();
    await clock.advance(1_000);
    await lease.enter();
    due = false;
    lock.done += 1;
    await clock.advance(10_000);
    assert.equal(lease.signal.aborted, false);
  });

  it('holds the series for all pages without a wait, and reports whether each is needed', async () => {
    const lease = createLease();
    assert.equal(await lease.enter(), 'go');
    due = false;
    assert.equal(await lease.enter(), 'unneeded');
    assert.deepEqual(lock.events, ['held']);
  });

  it('distinguishes a canceled query from hours fetched elsewhere', async () => {
    const query = new AbortController();
    const lease = createLease(query.signal);
    lease.waitForPermit();
    query.abort();
    await clock.advance(1_000);
    assert.deepEqual([lease.signal.aborted, lease.isFetchedElsewhere], [true, false]);
    await lease.end();
    assert.equal(clock.pending, 0, 'no call is still running');
  });
});
