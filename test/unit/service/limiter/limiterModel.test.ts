import assert from 'node:assert/strict';
import fc from 'fast-check';
import { getWindowMs } from '../../../../src/service/limiter/slots.ts';
import { pollMs } from '../../../../src/service/limiter/permitScheduler.ts';
import { StrictThrottle } from '../../../support/strictServer.ts';
import { VirtualClock } from '../virtualClock.ts';
import { gridScope, windows } from './limiterSetUp.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

/** The plan of one request, in milliseconds. */
interface Journey {
  readonly window: number;
  readonly priority: 'user' | 'background';
  readonly arrival: number;
  readonly up: number;
  readonly work: number;
  readonly down: number;
  readonly fate: 'answered' | 'neverSent' | 'givenUp' | 'abandoned' | 'timedOut';
}

interface Trip extends Journey {
  queuedAt: number;
  started: number | undefined;
  ended: number | undefined;
}

const journey = {
  window: fc.nat(2),
  priority: fc.constantFrom('user', 'background'),
  arrival: fc.nat(3_000),
  up: fc.nat(400),
  work: fc.nat(100),
  down: fc.nat(400),
};
const succeeding = fc.record({ ...journey, fate: fc.constant('answered') } as const);
const withOutcomes = fc.record({ ...journey, fate: fc.constantFrom('answered', 'neverSent', 'givenUp') } as const);
/** A request without a response: it is given up after `work` in flight, and counted when it arrives, perhaps later. */
const unanswered = fc.record({
  ...journey,
  up: fc.nat(4_900),
  work: fc.nat(3_000),
  fate: fc.constantFrom('answered', 'abandoned', 'timedOut'),
} as const);
const leaseMs = 9_000;
const requests = fc.integer({ min: 1, max: 4 });
const windowMs = fc.integer({ min: 1, max: 2_000 });

describe('SharedLimiter against an exact model of the throttle', () => {
  it('causes no 429 and no needless wait in one window, first come first served', async () => {
    const alone = fc.array(
      succeeding.map(plannedRequest => ({ ...plannedRequest, window: 0, priority: 'user' as const })),
      { minLength: 1, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(alone, requests, windowMs, async (journeys, allowed, ms) => {
        const trips = await simulate(journeys, allowed, ms);
        assert.deepEqual(
          trips.map(({ started }) => started),
          computeBestStarts(trips, allowed, ms),
        );
      }),
      { numRuns: scaleRunCount(100) },
    );
  });

  it('causes no 429 and no needless wait in three windows, interactive requests first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(succeeding, { minLength: 1, maxLength: 25 }), requests, windowMs, async (...args) => {
        const trips = await simulate(...args);
        assert.ok(computeLongestIdle(trips, args[1], args[2]) <= 0);
        assertUserRequestsFirst(trips);
      }),
      { numRuns: scaleRunCount(100) },
    );
  });

  it('causes no 429 in three windows with canceled and timed-out requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(unanswered, { minLength: 1, maxLength: 25 }), requests, windowMs, async (...args) => {
        await simulate(...args);
      }),
      { numRuns: scaleRunCount(100) },
    );
  });

  it('checks again within half a second in three windows that release permits and give up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(withOutcomes, { minLength: 1, maxLength: 25 }), requests, windowMs, async (...args) => {
        const trips = await simulate(...args);
        assert.ok(computeLongestIdle(trips, args[1], args[2]) <= pollMs);
      }),
      { numRuns: scaleRunCount(100) },
    );
  });
});

/** Runs the requests against a strict server. All must end, and none may be rejected. */
async function simulate(journeys: readonly Journey[], allowed: number, ms: number): Promise<Trip[]> {
  const clock = new VirtualClock(0);
  const { all, scope } = windows(clock, 3, leaseMs);
  const throttle = new StrictThrottle();
  const limit = { requests: allowed, seconds: ms / 1000 };
  let rejectedCount = 0;
  const sleepInFlight = async (trip: Trip): Promise<void> => {
    const { up, work, down, fate, priority } = trip;
    await clock.sleep(trip.arrival);
    const aborter = new AbortController();
    if (fate === 'givenUp') void clock.sleep(work).then(() => aborter.abort(new Error('given up')));
    const permit = await all[trip.window]
      ?.acquire(gridScope, limit, { priority, signal: aborter.signal })
      .catch(() => undefined);
    if (!permit) {
      trip.ended = clock.now();
      return;
    }
    trip.started = clock.now();
    if (fate === 'abandoned' || fate === 'timedOut') {
      const arrives = clock.sleep(up).then(() => (rejectedCount += throttle.allow(clock.now(), allowed, ms) ? 0 : 1));
      await clock.sleep(work);
      permit.release(fate);
      trip.ended = clock.now();
      await arrives;
      return;
    }
    await clock.sleep(up);
    if (fate === 'answered' && !throttle.allow(clock.now(), allowed, ms)) rejectedCount += 1;
    await clock.sleep(work + down);
    permit.release(fate === 'answered' ? 'counted' : 'free');
    trip.ended = clock.now();
  };
  const trips = journeys
    .toSorted((a, b) => a.arrival - b.arrival)
    .map((plannedTrip): Trip => ({
      ...plannedTrip,
      queuedAt: plannedTrip.arrival,
      started: undefined,
      ended: undefined,
    }));
  const done = Promise.all(trips.map(sleepInFlight));
  await clock.advance(400_000);
  await done;
  assert.equal(rejectedCount, 0);
  assert.equal(clock.pending, 0);
  assert.equal(scope()?.tickets.length, 0);
  assert.ok(scope()?.slots.every(({ flying, lost }) => !flying || lost));
  return trips;
}

/** Computes the earliest starts, first come first served, with at most `allowed` requests that had no response a window ago. */
function computeBestStarts(trips: readonly Trip[], allowed: number, ms: number): number[] {
  const starts: number[] = [];
  const slotEnds: number[] = [];
  for (const { arrival, up, work, down } of trips) {
    const blocking = slotEnds.toSorted((a, b) => b - a)[allowed - 1] ?? 0;
    const start = Math.max(arrival, starts.at(-1) ?? 0, blocking);
    starts.push(start);
    slotEnds.push(start + up + work + down + getWindowMs({ requests: allowed, seconds: ms / 1000 }));
  }
  return starts;
}

/** Computes the longest time for which a request waited although a slot was free, and none was released meanwhile. */
function computeLongestIdle(trips: readonly Trip[], allowed: number, ms: number): number {
  const countedMs = getWindowMs({ requests: allowed, seconds: ms / 1000 });
  const getSlotEnd = ({ fate, ended = Infinity }: Trip) => (fate === 'answered' ? ended + countedMs : ended);
  const isWaiting = (trip: Trip, instant: number) =>
    trip.queuedAt <= instant && instant < (trip.started ?? trip.ended ?? Infinity);
  const holdsSlot = (trip: Trip, instant: number) =>
    trip.started !== undefined && trip.started <= instant && instant < getSlotEnd(trip);
  const instants = trips.flatMap(trip => [trip.queuedAt, trip.started ?? 0, trip.ended ?? 0, getSlotEnd(trip)]);
  let idleSince: number | undefined;
  let longest = 0;
  for (const time of instants.filter(Number.isFinite).toSorted((a, b) => a - b)) {
    if (idleSince !== undefined) longest = Math.max(longest, time - idleSince);
    const isIdle =
      trips.filter(trip => holdsSlot(trip, time)).length < allowed && trips.some(trip => isWaiting(trip, time));
    const isChange = trips.some(({ fate, ended }) => fate !== 'answered' && ended === time);
    idleSince = isIdle ? (isChange ? time : (idleSince ?? time)) : undefined;
  }
  return longest;
}

/** Asserts that no background request starts before an earlier interactive request that still waits. */
function assertUserRequestsFirst(trips: readonly Trip[]): void {
  for (const backgroundTrip of trips.filter(({ priority }) => priority === 'background'))
    for (const userTrip of trips.filter(({ priority }) => priority === 'user'))
      assert.ok(
        !(userTrip.queuedAt < (backgroundTrip.started ?? 0) && (backgroundTrip.started ?? 0) < (userTrip.started ?? 0)),
      );
}
