import { stepState } from '../../../src/shared/result.ts';
import type { Coverage } from '../../../src/shared/result.ts';
import { CoverageStrip } from '../../../src/webview/coverage/coverageStrip.ts';

const start = Date.UTC(2023, 4, 1);
const hourMs = 3_600_000;
const letters: Readonly<Record<string, number>> = {
  '.': stepState.present,
  k: stepState.present,
  m: stepState.missing,
  n: stepState.notPublished,
  f: stepState.failed,
  a: stepState.notAsked,
  l: stepState.late,
};
function coverageOf(text: string): Coverage {
  const states = Uint8Array.from(text, letter => letters[letter] ?? stepState.present);
  const archived = Uint8Array.from(text, letter => Number(letter === 'k'));
  const count = (wanted: number) => states.filter(state => state === wanted).length;
  return {
    expected: states.length,
    present: count(stepState.present),
    missing: count(stepState.missing),
    missingStretches: [],
    notPublished: count(stepState.notPublished),
    failed: count(stepState.failed),
    notAsked: count(stepState.notAsked),
    late: count(stepState.late),
    states,
    archived,
  };
}

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
      strip.show(text === undefined ? undefined : { ...range, coverage: coverageOf(text) });
    },
    wentTo: () => wentTo,
    announced: () => announced,
  };
}
