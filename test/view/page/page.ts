import { mountChart } from './chartPart.ts';
import { axe, recordErrors } from './pageErrors.ts';
import { gridReader } from './gridReader.ts';
import { mountGrid } from './gridPart.ts';
import { mountPanel } from './panelPart.ts';
import { comparePictures } from './comparePictures.ts';
import { listCutOffTexts, listUntranslatedTexts } from './untranslatedTexts.ts';
import { mountStatistics } from './statisticsPart.ts';
import { mountStrip } from './stripPart.ts';

/** The mount function of each component. It returns the methods that tests can call. Their arguments and results are JSON. */
const components = {
  panel: mountPanel,
  chart: mountChart,
  grid: mountGrid,
  statistics: mountStatistics,
  strip: mountStrip,
};
type Components = typeof components;
const errors: string[] = [];
const pageChecks = {
  errors: () => errors,
  axe,
  comparePictures,
  listUntranslatedTexts,
  listCutOffTexts,
  ...gridReader,
};

export type ComponentName = keyof Components;
export type Mounted = {
  readonly [Name in ComponentName]: Awaited<ReturnType<Components[Name]>> & typeof pageChecks;
};

/** The HTML around a component in the panel. */
const panelBody = '<main><h1 class="visually-hidden">System state</h1><div class="content" id="content"></div></main>';

/** Mounts a component in place of the current one, and clears the recorded errors. */
async function mount(name: ComponentName): Promise<void> {
  const app = document.getElementById('app');
  if (!app) throw new Error('The page has no #app.');
  if (name !== 'panel' && app.childElementCount === 0) app.innerHTML = panelBody;
  const container = document.getElementById('content') ?? app;
  errors.length = 0;
  const mounted = await components[name](container, errors);
  Object.assign(window, { mounted: { ...mounted, ...pageChecks } });
}

const { component } = window.settings;
recordErrors(errors, component);
Object.assign(window, { mount, ready: mount(component) });
