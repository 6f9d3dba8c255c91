import { intervalState } from '../../../src/shared/result.ts';
import { CoverageStrip } from '../../../src/webview/coverage/coverageStrip.ts';
import { createStateCoverage } from './frames.ts';

const start = Date.UTC(2023, 4, 1);
const hourMs = 3_600_000;
const letters: Readonly<Record<string, number>> = {
  '.': intervalState.present,
  k: intervalState.present,
  m: intervalState.missing,
  n: intervalState.notPublished,
  f: intervalState.failed,
  a: intervalState.notRequested,
  l: intervalState.late,
};

/** Mounts the coverage strip alone. */
export function mountStrip(container: Element) {
  const wentTo: string[] = [];
  const announced: string[] = [];
  const strip = new CoverageStrip({
    goTo: instant => void wentTo.push(new Date(instant).toISOString()),
    announce: text => announced.push(text),
  });
  container.replaceChildren(strip.element);
  return {
    /** Shows a coverage with one letter for each interval, as in `letters`. Undefined hides the strip. */
    show(text: string | undefined, timeZone = 'UTC', label = timeZone) {
      const range = { start, intervalMs: hourMs, interval: '1h', zone: { timeZone, label }, locale: 'en' };
      const states = Uint8Array.from(text ?? '', letter => letters[letter] ?? intervalState.present);
      const archived = Uint8Array.from(text ?? '', letter => Number(letter === 'k'));
      strip.show(text === undefined ? undefined : { ...range, coverage: createStateCoverage(states, archived, start) });
    },
    wentTo: () => wentTo,
    announced: () => announced,
  };
}
