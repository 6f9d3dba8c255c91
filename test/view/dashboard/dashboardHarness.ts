import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { RunningSandbox, SandboxOptions } from '../../../src/sandbox/embedded.ts';
import { fetchDescribed } from '../../support/describedAnswers.ts';
import { patienceMs } from '../../support/waiting.ts';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { addAxe } from '../addAxe.ts';
import { themedRules, type AxeRules } from '../page/eyes.ts';
import { resize } from '../untilTrue.ts';

const wide = { width: 1180, height: 900 };

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly forcedColors?: 'active';
  readonly width?: number;
}

/** A real sandbox, and windows of the browser of all tests to look at its dashboard with. */
export class DashboardHarness {
  readonly sandbox: RunningSandbox;
  readonly #browser: Browser;
  readonly #clock: { ms: number };
  readonly #troubles = new Map<Page, string[]>();
  /** The address of every request of every page. */
  readonly asked: string[] = [];

  private constructor(sandbox: RunningSandbox, browser: Browser, clock: { ms: number }) {
    this.sandbox = sandbox;
    this.#browser = browser;
    this.#clock = clock;
  }

  /** The sandbox's clock goes on by a millisecond with each `use`: no request leaves a window, however slow the machine is. */
  static async start(options: SandboxOptions = {}): Promise<DashboardHarness> {
    const clock = { ms: Date.now() };
    const sandbox = await startSandbox({ clock: { now: () => clock.ms }, ...options });
    return new DashboardHarness(sandbox, await sharedBrowser(), clock);
  }

  get address(): string {
    return `${this.sandbox.baseUrl}/dashboard`;
  }

  /** A window of its own at the address; the plain one of the dashboard if left out. */
  async open(address = this.address, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: wide, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.sandbox.baseUrl });
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    const troubles: string[] = [];
    this.#troubles.set(page, troubles);
    page.on('request', request => this.asked.push(request.url()));
    page.on('pageerror', error => troubles.push(error.message));
    page.on('console', message => {
      // That a status is not 200 is for the page to say.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        troubles.push(message.text());
    });
    await page.goto(address);
    return page;
  }

  /** A window that is signed in. */
  async signIn(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(this.sandbox.createDashboardLink(), options);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    return page;
  }

  /** Asks for one hour of the grid's state (or stress) with that key; returns the status. */
  async use(key: string, path = 'grid/system-state'): Promise<number> {
    const range = 'start=2023-01-01T00:00:00Z&end=2023-01-01T01:00:00Z';
    const headers = { 'x-api-key': key };
    this.#clock.ms++;
    return (await fetchDescribed(`${this.sandbox.baseUrl}/api/v1/${path}?${range}`, { headers })).status;
  }

  /** Closes a window that had no error and no breach of the policy. */
  async close(page: Page): Promise<void> {
    assert.deepEqual(this.#troubles.get(page), []);
    await page.context().close();
  }

  async stop(): Promise<void> {
    for (const page of this.#troubles.keys()) await page.context().close();
    await this.sandbox.close();
  }
}

/** The ways people look at it. */
const looks: Readonly<Record<string, Look>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
  narrow: { colorScheme: 'light', width: 420 },
  'narrow and dark': { colorScheme: 'dark', width: 420 },
};

/** Looks at an open window in each way in turn; a width that was there already has other colours and is laid out alike. */
export async function inEachLook(page: Page, see: (look: string, rules: AxeRules) => Promise<void>): Promise<void> {
  const widths = new Set<number>();
  for (const [look, { width, ...media }] of Object.entries(looks)) {
    await page.emulateMedia({ forcedColors: 'none', ...media });
    const size = width === undefined ? wide : { width, height: 800 };
    await resize(page, size);
    await see(look, widths.has(size.width) ? 'themed' : 'all');
    widths.add(size.width);
  }
}

/** What axe-core finds wrong with the page. */
export async function axeOn(page: Page, rules: AxeRules): Promise<unknown> {
  await addAxe(page);
  const options = { resultTypes: ['violations'], ...(rules === 'themed' && { runOnly: themedRules }) };
  return page.evaluate(
    `axe.run(${JSON.stringify(options)})
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  );
}

/** The row of the key of that name. */
export function keyRow(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
}
