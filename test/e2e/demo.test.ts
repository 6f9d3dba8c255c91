import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { root } from '../../scripts/paths.ts';
import { chooseAt } from './harness/contextMenu.ts';
import { findWebview } from './harness/frames.ts';
import { patienceMs, until } from '../support/waiting.ts';
import { headerOf } from './support.ts';

describe('npm run demo', () => {
  let demo: ChildProcess | undefined;
  let browser: Browser | undefined;

  after(async () => {
    await browser?.close();
    demo?.kill('SIGKILL');
  });

  it('shows a table of sample data at the printed address, and leaves nothing running after Ctrl+C', async () => {
    // As on a machine without a desktop VS Code, whatever this one has.
    const noDisplay = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined };
    const env = { ...process.env, ...noDisplay, PATH: `${root}/node_modules/.bin:/usr/bin:/bin` };
    demo = spawn(process.execPath, ['scripts/demo.mjs', '--no-open'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await addressIn(demo);
    browser = await launchBrowser();
    const context = await browser.newContext();
    // Also of the pages that it opens.
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    await page.goto(url);
    const frame = await findWebview(page, 'System state · last 7 days · hourly');
    const header = frame.locator('header .parts').filter({ hasText: ' request' });
    await header.waitFor({ timeout: patienceMs });
    assert.match(
      await headerOf(frame),
      /^Sandbox · .*Sample Data · System state · .* UTC · hourly · (?:1[56]\d rows|1[56]\d of 168 hours, .*missing.*) · .*1 request$/,
    );

    // By mouse: the address of the sandbox goes through the proxy of VS Code's server.
    await page.getByRole('tab', { name: 'Grid Data' }).first().click();
    const opened = context.waitForEvent('page');
    await chooseAt(page, page.getByRole('treeitem', { name: /^Sandbox/ }), 'Open Dashboard');
    const dashboard = await opened;
    await dashboard.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/proxy\/\d+\/dashboard$/);
    await dashboard.getByRole('heading', { name: 'API keys' }).waitFor();
    await dashboard.getByLabel('Name of a new key').fill('Another');
    await dashboard.getByRole('button', { name: 'Create key' }).click();
    await dashboard.getByRole('row').filter({ hasText: 'Another' }).waitFor();

    // Connections are stored in the browser, of which this is another.
    const other = await (await browser.newContext()).newPage();
    other.setDefaultTimeout(patienceMs);
    await other.goto(url);
    const there = await findWebview(other, 'System state · last 7 days · hourly');
    await there.locator('header .parts').filter({ hasText: ' request' }).waitFor({ timeout: patienceMs });

    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    await exited;
    await assert.rejects(fetch(url), 'the server has ended');
  });
});

/** Reads what the demo prints until its address comes, or its end. */
async function addressIn(demo: ChildProcess): Promise<string> {
  assert.ok(demo.stdout);
  const end = 'It has ended.';
  const said: string[] = [];
  createInterface({ input: demo.stdout })
    .on('line', line => said.push(line))
    .once('close', () => said.push(end));
  const lines = await until(
    'the address of the demo',
    async () => Promise.resolve(said.join('\n')),
    all => all.includes('The demo is at ') || all.endsWith(end),
    180_000,
  );
  return /The demo is at (\S+)/.exec(lines)?.[1] ?? assert.fail(lines);
}
