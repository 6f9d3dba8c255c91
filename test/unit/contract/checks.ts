import type { ClauseResult } from '../../contract/suite.ts';
import { fakeClock } from '../sandbox/fakes.ts';

export const start = Date.UTC(2023, 0, 10);
const seconds = 60;
export const limits = { normalized_data: { requests: 10, seconds }, features: { requests: 3, seconds } };
export const texts = (results: readonly ClauseResult[], outcome: ClauseResult['outcome']) =>
  results.filter(result => result.outcome === outcome).map(({ clause, reason }) => `${clause.text}: ${reason}`);

/** Creates a clock that only advances when something sleeps, so that minutes of waiting take no time. */
export function waitingClock(onMove: (now: number) => Promise<void> = async () => Promise.resolve()) {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  return {
    now: clock.now,
    async sleep(ms: number) {
      clock.advance(Math.ceil(ms));
      await onMove(clock.now());
    },
  };
}
