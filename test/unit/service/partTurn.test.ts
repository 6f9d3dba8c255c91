import assert from 'node:assert/strict';
import { PartTurn } from '../../../src/service/partTurn.ts';
import { VirtualClock } from './virtualClock.ts';

const series = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };

/** A series that others are done with now and then, and that may be held by one of them. */
class FakeLock {
  done = 0;
  readonly events: string[] = [];

  acquire(): Promise<() => Promise<void>> {
    this.events.push('held');
    return Promise.resolve(() => Promise.resolve(void this.events.push('free')));
  }

  version(): Promise<string> {
    return Promise.resolve(String(this.done));
  }
}

describe('PartTurn', () => {
  let clock: VirtualClock;
  let lock: FakeLock;
  let due: boolean;
  const turnOf = (signal?: AbortSignal): PartTurn =>
    new PartTurn({ lock, clock }, series, signal, () => Promise.resolve(due));

  beforeEach(() => {
    clock = new VirtualClock();
    lock = new FakeLock();
    due = true;
  });

  it('holds the series between permit and answer only', async () => {
    const turn = turnOf();
    turn.waits();
    await clock.advance(20_000);
    assert.deepEqual(lock.events, [], 'a query that waits for its budget keeps nobody from the series');
    assert.equal(await turn.begin(), true);
    assert.deepEqual(lock.events, ['held']);
    await turn.end();
    assert.deepEqual(lock.events, ['held', 'free']);
  });

  it('ends the wait when another window has fetched the hours', async () => {
    const turn = turnOf();
    turn.waits();
    await clock.advance(5_000);
    lock.done += 1;
    await clock.advance(5_000);
    assert.equal(turn.signal.aborted, false, 'other hours were fetched');
    due = false;
    lock.done += 1;
    await clock.advance(1_000);
    assert.deepEqual([turn.signal.aborted, turn.fetchedElsewhere], [true, true]);
  });

  it('does not end a request that is out', async () => {
    const turn = turnOf();
    turn.waits();
    await clock.advance(1_000);
    await turn.begin();
    due = false;
    lock.done += 1;
    await clock.advance(10_000);
    assert.equal(turn.signal.aborted, false);
  });

  it('takes the series once for all attempts, and says whether each is needed', async () => {
    const turn = turnOf();
    assert.equal(await turn.begin(), true);
    due = false;
    assert.equal(await turn.begin(), false);
    assert.deepEqual(lock.events, ['held']);
  });

  it('ends with the query, which is not the same as fetched elsewhere', async () => {
    const query = new AbortController();
    const turn = turnOf(query.signal);
    turn.waits();
    query.abort();
    await clock.advance(1_000);
    assert.deepEqual([turn.signal.aborted, turn.fetchedElsewhere], [true, false]);
    await turn.end();
    assert.equal(clock.pending, 0, 'nothing is left running');
  });
});
