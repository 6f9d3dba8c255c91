import { intervalState } from '../../../src/shared/result.ts';
import { CoverageStrip } from '../../../src/webview/coverage/coverageStrip.ts';
import { coverageOf } from './frames.ts';

const start = Date.UTC(2023, 4, 1);
const hourMs = 3_600_000;
const letters: Readonly<Record<string, number>> = {
  '.': intervalState.present,
  k: intervalState.present,
  m: intervalState.missing,
  n: intervalState.notPublished,
  f: intervalState.failed,
  a: intervalState.notAsked,
  l: intervalState.late,
};

/** The coverage strip alone. */
export function mountStrip(place: Element) {
  const wentTo: string[] = [];
  const announced: string[] = [];
  const strip = new CoverageStrip({
    goTo: instant => void wentTo.push(new Date(instant).toISOString()),
    announce: text => announced.push(text),
  });
  place.replaceChildren(strip.element);
  return {
    /** One letter a step, as in `letters`. Nothing hides the strip. */
    show(text: string | undefined, timeZone = 'UTC', label = timeZone) {
      const range = { start, stepMs: hourMs, interval: '1h', zone: { timeZone, label }, locale: 'en' };
      const states = Uint8Array.from(text ?? '', letter => letters[letter] ?? intervalState.present);
      const archived = Uint8Array.from(text ?? '', letter => Number(letter === 'k'));
      strip.show(text === undefined ? undefined : { ...range, coverage: coverageOf(states, archived, start) });
    },
    wentTo: () => wentTo,
    announced: () => announced,
  };
}
