import { dirname, relative } from 'node:path';
import { root, screenshots } from '../../../scripts/paths.ts';
import type { Workbench } from './workbench.ts';

/** For `afterEach`: takes a picture when the test has failed, and says where it is and what else there is to know of the window. */
export function pictureFailure(workbench: () => Workbench | undefined): (this: Mocha.Context) => Promise<void> {
  return async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    const name = test.fullTitle().replaceAll(/[^\w]+/g, '-');
    const window = workbench();
    if (window) window.hasFailed = true;
    const path = await window?.screenshot(`failed-${name}`);
    console.log(
      path
        ? `      picture: ${relative(root, path)}`
        : `      no picture: no window (${relative(dirname(screenshots), screenshots)})`,
    );
    if (window) console.log((await window.describe().catch(String)).replaceAll(/^/gm, '      '));
  };
}
