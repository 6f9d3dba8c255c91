import type { Browser } from 'playwright-core';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { launchBrowser } from './browser.ts';

/** How text is drawn: alike on every machine. */
const fontsFile = join(root, 'test/view/fonts.conf');

let launched: Promise<Browser> | undefined;

/** The one browser of all files that this process runs: each opens contexts of its own in it, and closes them. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser({ FONTCONFIG_FILE: fontsFile }).then(browser =>
    browser.on('disconnected', () => (launched = undefined)),
  );
  return launched;
}
