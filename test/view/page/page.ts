import { mountChart } from './chartPart.ts';
import { axe, recordErrors } from './pageErrors.ts';
import { gridReader } from './gridReader.ts';
import { mountGrid } from './gridPart.ts';
import { mountPanel } from './panelPart.ts';
import { comparePictures } from './comparePictures.ts';
import { cutOff, unmarked } from './untranslatedTexts.ts';
import { mountStatistics } from './statisticsPart.ts';
import { mountStrip } from './stripPart.ts';

/** The panel and its components. Each mount function returns the methods that tests can call, with JSON arguments and results. */
const components = {
  panel: mountPanel,
  chart: mountChart,
  grid: mountGrid,
  statistics: mountStatistics,
  strip: mountStrip,
};
type Components = typeof components;
const troubles: string[] = [];
const eyes = { troubles: () => troubles, axe, comparePictures, unmarked, cutOff, ...gridReader };

export type ComponentName = keyof Components;
export type Mounted = {
  readonly [Name in ComponentName]: Awaited<ReturnType<Components[Name]>> & typeof eyes;
};

/** The surroundings of a component in the panel. */
const partBody = '<main><h1 class="visually-hidden">System state</h1><div class="content" id="content"></div></main>';

/** Mounts a component in place of the current one, and clears the recorded errors. */
async function mount(name: ComponentName): Promise<void> {
  const app = document.getElementById('app');
  if (!app) throw new Error('The page has no #app.');
  if (name !== 'panel' && app.childElementCount === 0) app.innerHTML = partBody;
  const container = document.getElementById('content') ?? app;
  troubles.length = 0;
  const mounted = await components[name](container, troubles);
  Object.assign(window, { mounted: { ...mounted, ...eyes } });
}

const { component } = window.settings;
recordErrors(troubles, component);
Object.assign(window, { mount, ready: mount(component) });
