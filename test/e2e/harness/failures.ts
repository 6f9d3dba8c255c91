import { relative } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { describePendingWaits } from '../../support/until.ts';
import type { Workbench } from './workbench.ts';

/**
 * Registers hooks that take a screenshot when a test or hook fails, and add its path and the window's state to the error, where every
 * reporter shows it. Call it before the hook that disposes the window.
 */
export function screenshotFailures(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await addDetails(this.currentTest, workbench());
  });
  after(async function () {
    for (const hook of findFailedHooks(this.test?.parent)) await addDetails(hook, workbench());
  });
}

/** Registers hooks that take screenshots of failures, and after the suite dispose its window and then its service. */
export function disposeAfter(
  getParts: () => readonly [Workbench | undefined, ({ readonly close: () => Promise<void> } | undefined)?],
): void {
  screenshotFailures(() => getParts()[0]);
  after(async () => {
    const [workbench, service] = getParts();
    await workbench?.dispose();
    await service?.close();
  });
}

/** The hooks of a suite, which Mocha's types lack. */
interface SuiteHooks {
  getHooks(name: 'beforeAll' | 'beforeEach' | 'afterEach'): readonly Mocha.Hook[];
}

/** Finds the failed hooks of a suite and its nested suites. */
function findFailedHooks(suite: (Mocha.Suite & Partial<SuiteHooks>) | undefined): Mocha.Hook[] {
  const hooks = (['beforeAll', 'beforeEach', 'afterEach'] as const).flatMap(name => suite?.getHooks?.(name) ?? []);
  return [...hooks.filter(({ state }) => state === 'failed'), ...(suite?.suites.flatMap(findFailedHooks) ?? [])];
}

async function addDetails(
  failed: Mocha.Runnable & { err?: Error | undefined },
  window: Workbench | undefined,
): Promise<void> {
  const pendingWaits = describePendingWaits().map(wait => `still waiting for ${wait}`);
  if (failed.err) insertIntoError(failed.err, [...pendingWaits, await takeScreenshot(failed, window)].join('\n'));
}

async function takeScreenshot(failed: Mocha.Runnable, window: Workbench | undefined): Promise<string> {
  if (!window) return 'There is no window.';
  window.hasFailed = true;
  const path = await window.screenshot(`failed-${failed.fullTitle().replaceAll(/[^\w]+/g, '-')}`).catch(String);
  return `picture: ${relative(root, path)}\n${await window.describe().catch(String)}`;
}

/** Inserts text after the first line of an error's message, since summaries show only the beginning. */
export function insertIntoError(error: Error, text: string): void {
  const [first = '', ...rest] = error.message.split('\n');
  const stackFrames = error.stack?.slice(error.stack.indexOf('\n    at ')) ?? '';
  error.message = [first, ...text.split('\n').map(line => `  ${line}`), ...rest].join('\n');
  error.stack = `${error.name}: ${error.message}${stackFrames}`;
}
