import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../scripts/install/chromium.ts';

// Only the page under test may use the network.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The reference pictures of the view tests are drawn with this setting.
  '--font-render-hinting=none',
];

/** Starts the installed Chromium headless, with `env` added to its environment. Throws an Error if none is installed. */
export async function launchBrowser(env: Record<string, string> = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error(
      process.env['PWDEBUG']
        ? 'No browser with a window found: install Chromium or Google Chrome, or set CHROME_PATH.'
        : 'No Chromium found: run `npm test` once, or set CHROME_PATH.',
    );
  return chromium.launch({ executablePath, args: flags, env: { ...process.env, ...env } });
}
