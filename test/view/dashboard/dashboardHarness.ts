import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { RunningSandbox, SandboxOptions } from '../../../src/sandbox/embedded.ts';
import { fetchDocumented } from '../../support/documentedResponses.ts';
import { waitTimeoutMs } from '../../support/until.ts';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { addAxe } from '../addAxe.ts';
import { themedRules, type AxeRules } from '../page/pageErrors.ts';
import { resize } from '../untilTrue.ts';

const wide = { width: 1180, height: 900 };

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly forcedColors?: 'active';
  readonly width?: number;
}

/** Runs a real sandbox, and opens its dashboard in pages of the shared browser. */
export class DashboardHarness {
  readonly sandbox: RunningSandbox;
  readonly #browser: Browser;
  readonly #clock: { ms: number };
  readonly #troubles = new Map<Page, string[]>();
  /** The address of every request of every page. */
  readonly requestedUrls: string[] = [];

  private constructor(sandbox: RunningSandbox, browser: Browser, clock: { ms: number }) {
    this.sandbox = sandbox;
    this.#browser = browser;
    this.#clock = clock;
  }

  /** The sandbox's clock advances by a millisecond with each `use`, so that no request leaves a rate limit window on a slow machine. */
  static async start(options: SandboxOptions = {}): Promise<DashboardHarness> {
    const clock = { ms: Date.now() };
    const sandbox = await startSandbox({ clock: { now: () => clock.ms }, ...options });
    return new DashboardHarness(sandbox, await sharedBrowser(), clock);
  }

  get address(): string {
    return `${this.sandbox.baseUrl}/dashboard`;
  }

  /** Opens a new page at the address, by default that of the dashboard. */
  async open(address = this.address, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: wide, ...options });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.sandbox.baseUrl });
    context.setDefaultTimeout(waitTimeoutMs);
    const page = await context.newPage();
    const troubles: string[] = [];
    this.#troubles.set(page, troubles);
    page.on('request', request => this.requestedUrls.push(request.url()));
    page.on('pageerror', error => troubles.push(error.message));
    page.on('console', message => {
      // The page itself reports a status other than 200.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        troubles.push(message.text());
    });
    await page.goto(address);
    return page;
  }

  /** Opens a page that is signed in. */
  async signIn(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(this.sandbox.createDashboardLink(), options);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    return page;
  }

  /** Requests one hour of the system state (or grid stress) with a key. Returns the status. */
  async use(key: string, path = 'grid/system-state'): Promise<number> {
    const range = 'start=2023-01-01T00:00:00Z&end=2023-01-01T01:00:00Z';
    const headers = { 'x-api-key': key };
    this.#clock.ms++;
    return (await fetchDocumented(`${this.sandbox.baseUrl}/api/v1/${path}?${range}`, { headers })).status;
  }

  /** Closes a page, and checks that it had no errors and no Content Security Policy violations. */
  async close(page: Page): Promise<void> {
    assert.deepEqual(this.#troubles.get(page), []);
    await page.context().close();
  }

  async stop(): Promise<void> {
    for (const page of this.#troubles.keys()) await page.context().close();
    await this.sandbox.close();
  }
}

/** The color schemes and widths to test. */
const looks: Readonly<Record<string, Look>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colors': { colorScheme: 'dark', forcedColors: 'active' },
  narrow: { colorScheme: 'light', width: 420 },
  'narrow and dark': { colorScheme: 'dark', width: 420 },
};

/** Applies each color scheme and width to an open page in turn. The layout changes only with the width. */
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

/** Returns the violations that axe-core finds in the page. */
export async function axeOn(page: Page, rules: AxeRules): Promise<unknown> {
  await addAxe(page);
  const options = { resultTypes: ['violations'], ...(rules === 'themed' && { runOnly: themedRules }) };
  return page.evaluate(
    `axe.run(${JSON.stringify(options)})
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  );
}

/** Finds the row of a key by name. */
export function keyRow(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
}
