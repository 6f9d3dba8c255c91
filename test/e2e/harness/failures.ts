import { relative } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { waitsNow } from '../../support/waiting.ts';
import type { Workbench } from './workbench.ts';

/**
 * For a suite, before what ends its window: takes a picture when a test or what goes before the tests has failed, and adds where it
 * is and what else there is to know of the window to the error, where every reporter and summary shows it.
 */
export function pictureFailures(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await tell(this.currentTest, workbench());
  });
  after(async function () {
    for (const hook of failedHooks(this.test?.parent)) await tell(hook, workbench());
  });
}

/** For a suite: takes pictures of its failures, and ends its window after it, and then the service that the window has used. */
export function endsAfter(
  parts: () => readonly [Workbench | undefined, ({ readonly close: () => Promise<void> } | undefined)?],
): void {
  pictureFailures(() => parts()[0]);
  after(async () => {
    const [workbench, service] = parts();
    await workbench?.dispose();
    await service?.close();
  });
}

/** What mocha's types say nothing of: the hooks of a suite. */
interface Hooks {
  getHooks(name: 'beforeAll' | 'beforeEach' | 'afterEach'): readonly Mocha.Hook[];
}

/** The failed hooks of a suite and of the suites in it. */
function failedHooks(suite: (Mocha.Suite & Partial<Hooks>) | undefined): Mocha.Hook[] {
  const hooks = (['beforeAll', 'beforeEach', 'afterEach'] as const).flatMap(name => suite?.getHooks?.(name) ?? []);
  return [...hooks.filter(({ state }) => state === 'failed'), ...(suite?.suites.flatMap(failedHooks) ?? [])];
}

async function tell(
  failed: Mocha.Runnable & { err?: Error | undefined },
  window: Workbench | undefined,
): Promise<void> {
  const waits = waitsNow().map(wait => `still waiting for ${wait}`);
  if (failed.err) addTo(failed.err, [...waits, await picture(failed, window)].join('\n'));
}

async function picture(failed: Mocha.Runnable, window: Workbench | undefined): Promise<string> {
  if (!window) return 'There is no window.';
  window.hasFailed = true;
  const path = await window.screenshot(`failed-${failed.fullTitle().replaceAll(/[^\w]+/g, '-')}`).catch(String);
  return `picture: ${relative(root, path)}\n${await window.describe().catch(String)}`;
}

/** Adds to an error behind the first line of what it says: a summary shows only its beginning. */
export function addTo(error: Error, text: string): void {
  const [first = '', ...rest] = error.message.split('\n');
  const places = error.stack?.slice(error.stack.indexOf('\n    at ')) ?? '';
  error.message = [first, ...text.split('\n').map(line => `  ${line}`), ...rest].join('\n');
  error.stack = `${error.name}: ${error.message}${places}`;
}
