import type { Browser } from 'playwright-core';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { launchBrowser } from './browser.ts';

/** Makes text look the same on every machine. */
const fontsFile = join(root, 'test/view/fonts.conf');

let launched: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share. Each opens and closes its own contexts. It closes when the process exits. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser({ FONTCONFIG_FILE: fontsFile }).then(browser =>
    browser.on('disconnected', () => (launched = undefined)),
  );
  return launched;
}
