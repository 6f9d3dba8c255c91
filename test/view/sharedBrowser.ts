import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';

let launched: Promise<Browser> | undefined;

/** The one browser of all files that this process runs: each opens contexts of its own in it, and closes them. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser().then(browser => browser.on('disconnected', () => (launched = undefined)));
  return launched;
}
