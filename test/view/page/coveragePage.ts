import { stepState } from '../../../src/shared/result.ts';
import type { Coverage } from '../../../src/shared/result.ts';
import { CoverageStrip } from '../../../src/webview/coverage/coverageStrip.ts';
import type { CoveragePageApi } from './coveragePageApi.ts';
import { axe, troublesOf } from './eyes.ts';

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
const troubles = troublesOf();
const wentTo: string[] = [];
const announced: string[] = [];
const strip = new CoverageStrip({
  goTo: instant => void wentTo.push(new Date(instant).toISOString()),
  announce: text => announced.push(text),
});
document.querySelector('#app')?.append(strip.element);

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

const api: CoveragePageApi = {
  show(text, timeZone = 'UTC', label = timeZone) {
    const range = { start, stepMs: hourMs, interval: '1h', zone: { timeZone, label }, locale: 'en' };
    strip.show(text === undefined ? undefined : { ...range, coverage: coverageOf(text) });
  },
  wentTo: () => wentTo,
  announced: () => announced,
  troubles: () => troubles,
  axe,
};
Object.assign(window, { strip: api });
