import { relative } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { describePendingWaits, succeeds, until } from '../../support/until.ts';
import { dismissOverlay } from './activation.ts';
import type { Workbench } from './workbench.ts';

/**
 * Registers hooks that take a screenshot when a test or hook fails. They add its path and the state of the window to the error message, which
 * every reporter shows. If Mocha runs the test again, they close boxes, dialogs and menus first. Must be called before the hook that disposes
 * the window is registered.
 */
export function screenshotFailures(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    const test = this.currentTest;
    const window = workbench();
    if (test?.state === 'failed') await addDetails(test, window);
    // Mocha sets no state if it will run the test again. An open menu would cover what the next attempt clicks.
    else if (window && test?.state === undefined)
      await succeeds(
        until(
          'boxes, dialogs and menus to close',
          async () => dismissOverlay(window),
          overlay => overlay === undefined,
        ),
      );
  });
  after(async function () {
    for (const hook of findFailedHooks(this.test?.parent)) await addDetails(hook, workbench());
  });
}

/** Registers hooks that take screenshots of failures, and that dispose the window and then the service after the suite. */
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

/** A method of Mocha's suites that its type definitions do not declare. */
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

/** Inserts text after the first line of an error's message, because summaries show only the beginning of a message. */
export function insertIntoError(error: Error, text: string): void {
  const [first = '', ...rest] = error.message.split('\n');
  const stackFrames = error.stack?.slice(error.stack.indexOf('\n    at ')) ?? '';
  error.message = [first, ...text.split('\n').map(line => `  ${line}`), ...rest].join('\n');
  error.stack = `${error.name}: ${error.message}${stackFrames}`;
}
