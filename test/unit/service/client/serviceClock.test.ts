import assert from 'node:assert/strict';
import { ServiceClock } from '../../../../src/service/client/serviceClock.ts';
import { FakeState } from '../storeFakes.ts';

describe('ServiceClock', () => {
  const now = Date.parse('2026-11-21T08:00:40Z');
  const clock = { now: () => now, sleep: () => Promise.resolve() };

  /** Updates the clock twice with the same times, which confirms a large offset. */
  const updateTwice = async (
    service: ServiceClock,
    responseTimes: Parameters<ServiceClock['update']>[1],
  ): Promise<void> => {
    await service.update('a', responseTimes);
    await service.update('a', responseTimes);
  };

  const times = (respondedAt: number, sentAt: number, headAt = now) => ({ respondedAt, sentAt, headAt });

  it('returns the local time until a service has sent its time', async () => {
    const service = new ServiceClock(clock, new FakeState());
    assert.equal(service.now('a'), now);
    await updateTwice(service, times(now - 3_600_000, now - 200));
    assert.deepEqual([service.now('a'), service.now('b')], [now - 3_600_000, now]);
  });

  it('keeps the local time if the Date header is between the request and a slow response', async () => {
    const service = new ServiceClock(clock, new FakeState());
    await service.update('a', times(now - 39_000, now - 40_000));
    assert.equal(service.now('a'), now);
  });

  it('computes the offset from the arrival of the headers, not of the body', async () => {
    const service = new ServiceClock(clock, new FakeState());
    await updateTwice(service, times(now - 3_660_000, now - 60_200, now - 60_000));
    assert.equal(service.now('a'), now - 3_600_000);
  });

  describe('ServiceClock.getRequestTime', () => {
    const parseTime = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
    for (const [title, responded, sent, head, expected] of [
      [
        'returns a time after a publication if the request was sent right after it',
        '09:00:00',
        '09:00:00.300',
        '09:00:00.500',
        '09:00:00',
      ],
      [
        'returns a time before a publication if the request was sent before it',
        '09:00:00',
        '08:59:59.800',
        '09:00:00.500',
        '08:59:59.800',
      ],
      ['returns the time of the request if the response is slow', '09:00:20', '08:59:50', '09:00:20.100', '08:59:50'],
      [
        "returns a time after a publication if the service's clock is ahead",
        '09:00:01',
        '08:59:58',
        '08:59:58.400',
        '09:00:00.600',
      ],
      [
        "returns a time before a publication if the service's clock is behind",
        '08:59:58',
        '09:00:01',
        '09:00:01.100',
        '08:59:58',
      ],
    ] as const)
      it(title, async () => {
        const service = new ServiceClock(clock, new FakeState());
        const responseTimes = { respondedAt: parseTime(responded), sentAt: parseTime(sent), headAt: parseTime(head) };
        await service.update('a', responseTimes);
        assert.equal(
          new Date(service.getRequestTime('a', responseTimes)).toISOString(),
          new Date(parseTime(expected)).toISOString(),
        );
      });

    it('adds the confirmed offset to a local clock that is hours off', async () => {
      const service = new ServiceClock(clock, new FakeState());
      await updateTwice(service, times(now - 3_600_000, now - 200));
      assert.equal(service.getRequestTime('a', times(now - 3_590_000, now + 9_000, now + 11_000)), now - 3_591_000);
    });
  });

  it('restores the offset after a restart, and removes it when the clocks agree', async () => {
    const state = new FakeState();
    await updateTwice(new ServiceClock(clock, state), times(now + 86_400_000, now - 200));
    const restarted = new ServiceClock(clock, state);
    assert.equal(restarted.now('a'), now + 86_400_000);
    await restarted.update('a', times(now - 1_000, now - 200));
    assert.equal(new ServiceClock(clock, state).now('a'), now);
  });

  for (const [description, date] of [
    ['of 1970', 0],
    ['before 1970', -86_400_000],
    ['of the next century', now + 90 * 365 * 86_400_000],
    ['an hour off', now - 3_600_000],
  ] as const)
    it(`ignores a single Date header ${description}, also after a restart`, async () => {
      const state = new FakeState();
      const service = new ServiceClock(clock, state);
      const wrong = times(date, now - 200);
      await service.update('a', wrong);
      assert.equal(service.now('a'), now);
      // The request time is the local time, not 0, so the hours of the response are stored as requested.
      assert.equal(service.getRequestTime('a', wrong), now - 200);
      assert.equal(new ServiceClock(clock, state).now('a'), now);
      // After a response that agrees with the local clock, the wrong Date needs two responses again.
      await service.update('a', times(now - 1_000, now - 200));
      await service.update('a', wrong);
      assert.equal(service.now('a'), now);
      // Two different offsets do not confirm each other.
      await service.update('a', times(date - 3_600_000, now - 200));
      assert.equal(service.now('a'), now);
    });

  it('uses a single Date header that is a few minutes off, or that agrees with the local clock', async () => {
    const service = new ServiceClock(clock, new FakeState());
    await service.update('a', times(now - 240_000, now - 200));
    assert.equal(service.now('a'), now - 240_000);
    await updateTwice(service, times(now - 7_200_000, now - 200));
    assert.equal(service.now('a'), now - 7_200_000);
    await service.update('a', times(now - 1_000, now - 200));
    assert.equal(service.now('a'), now);
  });

  it("returns a request time above 0 even if the service's clock is at or before 1970", async () => {
    const service = new ServiceClock(clock, new FakeState());
    for (const date of [0, -1_000]) {
      await updateTwice(service, times(date, now - 200));
      assert.ok(service.getRequestTime('a', times(date, now - 200)) > 0);
    }
  });

  it('ignores damaged state', () => {
    const state = new FakeState();
    void state.update('clockOffsets', { a: 'soon' });
    assert.equal(new ServiceClock(clock, state).now('a'), now);
  });
});
