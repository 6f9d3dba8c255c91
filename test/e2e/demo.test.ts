import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { root } from '../../scripts/paths.ts';
import { chooseFromMenu } from './harness/contextMenu.ts';
import { findWebview } from './harness/frames.ts';
import { waitTimeoutMs, until } from '../support/until.ts';
import { readHeader } from './support.ts';

describe('npm run demo', () => {
  let demo: ChildProcess | undefined;
  let browser: Browser | undefined;

  after(async () => {
    await browser?.close();
    demo?.kill('SIGKILL');
  });

  it('shows a table of sample data at the printed address, and leaves nothing running after Ctrl+C', async () => {
    // Simulates a machine without a desktop VS Code.
    const noDisplay = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    const env = { ...process.env, ...noDisplay, PATH: `${root}/node_modules/.bin:/usr/bin:/bin` };
    demo = spawn(process.execPath, ['scripts/demo.mjs', '--no-open'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await waitForAddress(demo);
    browser = await launchBrowser();
    const context = await browser.newContext();
    // The timeout also applies to pages that the context opens.
    context.setDefaultTimeout(waitTimeoutMs);
    const page = await context.newPage();
    await page.goto(url);
    const frame = await findWebview(page, 'System state · last 7 days · hourly');
    const header = frame.locator('header .parts').filter({ hasText: ' request' });
    await header.waitFor({ timeout: waitTimeoutMs });
    assert.match(
      await readHeader(frame),
      /^Sandbox · .*Sample Data · System state · .* UTC · hourly · (?:1[56]\d rows|1[56]\d of 168 hours, .*missing.*) · .*1 request$/,
    );

    // VS Code's server opens the sandbox's address through its proxy.
    await page.getByRole('tab', { name: 'Grid Data' }).first().click();
    const pageEvent = context.waitForEvent('page');
    await chooseFromMenu(page, page.getByRole('treeitem', { name: /^Sandbox/ }), 'Open Dashboard');
    const dashboard = await pageEvent;
    await dashboard.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/proxy\/\d+\/dashboard$/);
    await dashboard.getByRole('heading', { name: 'API keys' }).waitFor();
    await dashboard.getByLabel('Name of a new key').fill('Another');
    await dashboard.getByRole('button', { name: 'Create key' }).click();
    await dashboard.getByRole('row').filter({ hasText: 'Another' }).waitFor();

    // Connections are stored in the browser; this context is a new one.
    const otherPage = await (await browser.newContext()).newPage();
    otherPage.setDefaultTimeout(waitTimeoutMs);
    await otherPage.goto(url);
    const otherFrame = await findWebview(otherPage, 'System state · last 7 days · hourly');
    await otherFrame.locator('header .parts').filter({ hasText: ' request' }).waitFor({ timeout: waitTimeoutMs });

    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    await exited;
    await assert.rejects(fetch(url), 'the server has ended');
  });
});

/** Reads the demo's output until it prints its address or ends. */
async function waitForAddress(demo: ChildProcess): Promise<string> {
  assert.ok(demo.stdout);
  const end = 'The demo has ended.';
  const outputLines: string[] = [];
  createInterface({ input: demo.stdout })
    .on('line', line => outputLines.push(line))
    .once('close', () => outputLines.push(end));
  const output = await until(
    'the address of the demo',
    async () => Promise.resolve(outputLines.join('\n')),
    output => output.includes('The demo is at ') || output.endsWith(end),
    180_000,
  );
  return /The demo is at (\S+)/.exec(output)?.[1] ?? assert.fail(output);
}
