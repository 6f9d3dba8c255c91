import { mountChart } from './chartPart.ts';
import { axe, troublesOf } from './eyes.ts';
import { mountGrid } from './gridPart.ts';
import type { AnyPart, Parts } from './partsApi.ts';
import { mountStatistics } from './statisticsPart.ts';
import { mountStrip } from './stripPart.ts';

const troubles = troublesOf();
const mounts: { readonly [Name in keyof Parts]: (place: Element, troubles: string[]) => Parts[Name] } = {
  chart: mountChart,
  grid: mountGrid,
  statistics: mountStatistics,
  strip: mountStrip,
};

/** Shows a part anew, in place of what is there, and nothing of before is noted. */
function mount(name: keyof Parts): true {
  const place = document.querySelector('#content');
  if (!place) throw new Error('The page has no #content.');
  troubles.length = 0;
  const all: AnyPart = { troubles: () => troubles, axe };
  Object.assign(window, { part: { ...mounts[name](place, troubles), ...all } });
  return true;
}
Object.assign(window, { mount });
