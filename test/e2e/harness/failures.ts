import { relative } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import type { Workbench } from './workbench.ts';

/**
 * For `afterEach`: takes a picture when the test has failed, and adds where it is and what else there is to know of the window to
 * the test's error, where every reporter and summary shows it.
 */
export function pictureFailure(workbench: () => Workbench | undefined): (this: Mocha.Context) => Promise<void> {
  return async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    const window = workbench();
    if (!window) {
      tell(test, 'There is no window.');
      return;
    }
    window.hasFailed = true;
    const path = await window.screenshot(`failed-${test.fullTitle().replaceAll(/[^\w]+/g, '-')}`).catch(String);
    tell(test, `picture: ${relative(root, path)}\n${await window.describe().catch(String)}`);
  };
}

/** Behind the first line of what the error says: a summary shows only its beginning. */
function tell({ err }: Mocha.Test, text: string): void {
  if (!err) return;
  const [first = '', ...rest] = err.message.split('\n');
  const places = err.stack?.slice(err.stack.indexOf('\n    at ')) ?? '';
  err.message = [first, ...text.split('\n').map(line => `  ${line}`), ...rest].join('\n');
  err.stack = `${err.name}: ${err.message}${places}`;
}
