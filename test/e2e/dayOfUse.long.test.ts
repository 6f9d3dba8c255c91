import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { standInCompanion } from './harness/standIn.ts';
import { startWorkbench, defaultViewport } from './harness/start.ts';
import { waitTimeoutMs } from '../support/until.ts';
import { Workbench } from './harness/workbench.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { checkLogs, checkMessages, checkPages, readHostMemory, measurePageMemory } from './soak/checks.ts';
import { RandomChoices } from './soak/randomChoices.ts';
import { SimulatedUser } from './soak/simulatedUser.ts';
import { startFaultyService, type FaultyService } from './soak/faultyService.ts';
import { addConnection } from './support.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const { values } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  options: { seed: { type: 'string' }, actions: { type: 'string' }, windows: { type: 'string' } },
});
const numberOption = (name: string, defaultValue: number): number => Number(values[name] ?? defaultValue);
const seed = numberOption('seed', Date.now() % 100_000);
const actions = numberOption('actions', 2_000);
const windows = numberOption('windows', 4);
/** The time limit of an action: enough to reload a window on a busy machine. */
const actionMs = 2 * waitTimeoutMs;
const maxGrowthMb = 64;

const day = { dataset: 'systemState', range: 'last 24 hours' };
const savedQueries = {
  queries: [
    { name: 'Day', ...day },
    { name: 'Fresh', ...day, keepFresh: true, alerts: [{ kind: 'late' }] },
    {
      folder: 'Morning',
      queries: [
        { name: 'Week', ...day, range: 'last 7 days' },
        { name: 'Stress', dataset: 'gridStress', range: '2023-05' },
      ],
    },
  ],
};

/** Offsets of the extension hosts' clock from the machine's. */
const clockOffsetsMs = [0, 0, 20_000, -20_000, 300_000, -300_000, 3_600_000, -3_600_000, 86_400_000];

/** The files to open in the explorer. */
const dataFiles = {
  'day.csv': [
    'ts,wind_mw,note',
    ...Array.from({ length: 24 }, (_, hour) => `${hourOfFirstOfMay(hour)},${hour * 90.5},=1+${hour}`),
  ].join('\n'),
  'hours.ndjson': Array.from({ length: 500 }, (_, hour) =>
    JSON.stringify({ at: hourOfFirstOfMay(hour), mw: hour % 7 ? hour : null }),
  ).join('\n'),
  'broken.json': '{"hours": [',
  'empty.csv': '',
  'hostile.csv': hostileTexts.map(({ text }) => JSON.stringify(text)).join('\n'),
};

/**
 * Random actions in four windows with one key and a folder of data files, on a machine whose clock changes (`soak/companion`). After each
 * action, checks that no unexplained error is visible, and that each page shows a table or a message, or loads one in time. After every
 * twentieth, checks that the sandbox has rejected no request for its rate limit, and that the logs have no errors. At the end, checks the
 * memory of each extension host after a garbage collection. A failure reports seed and action with a screenshot. The same seed repeats
 * the same actions, but what is on screen also depends on the machine's speed.
 */
describe('a day of use', () => {
  const folder = createTemporaryFolder();
  const clock = join(folder, 'clock');
  const actionLog: string[] = [];
  const errors = new Map<string, number>();
  const users: SimulatedUser[] = [];
  const disposals: (() => Promise<void>)[] = [];
  let service: FaultyService;
  let first: Workbench;
  let acting: Workbench;

  const log = (line: string): void => {
    actionLog.push(line);
    console.log(`    ${line}`);
  };

  before(async function () {
    // VS Code's server is installed on Linux only.
    if (process.platform !== 'linux') this.skip();
    const workspaceFolder = join(folder, 'workspace');
    mkdirSync(join(workspaceFolder, '.vscode'), { recursive: true });
    writeFileSync(join(workspaceFolder, '.vscode', 'grid-queries.json'), JSON.stringify(savedQueries));
    for (const [name, text] of Object.entries(dataFiles)) writeFileSync(join(workspaceFolder, name), text);
    writeFileSync(clock, '0');
    service = await startFaultyService(seed);
    disposals.push(service.close);
    first = acting = await startWorkbench({
      folder: workspaceFolder,
      companions: [standInCompanion, join(import.meta.dirname, 'soak', 'companion')],
      env: { ...service.env, GRID_DATA_SOAK: folder },
    });
    disposals.push(async () => first.dispose());
    users.push(new SimulatedUser(first, service.key));
    const context = first.page.context();
    while (users.length < windows) {
      const page = await context.newPage();
      await page.setViewportSize(defaultViewport);
      page.setDefaultTimeout(waitTimeoutMs);
      const { userDataDir } = first;
      const dispose = async (): Promise<void> => page.close();
      const parts = { page, url: first.page.url(), folder: workspaceFolder, userDataDir, settings: {}, dispose };
      users.push(new SimulatedUser(new Workbench(parts), service.key));
      await users.at(-1)?.workbench.open();
    }
    // Each window keeps the connections it has loaded at startup.
    for (const user of users) await connect(user, 'Soak');
  });
  after(async () => {
    for (const dispose of disposals.reverse()) await dispose();
  });

  /** Activates the connection to the test's service, the only one that sends requests. Adds it again if it was removed. */
  async function connect(user: SimulatedUser, name: string): Promise<void> {
    const { workbench } = user;
    const activeName = await findConnection(user);
    if (activeName !== undefined) {
      await workbench.runCommand('Grid Data Connections: Make Active');
      await workbench.quickInput.pick(activeName);
      return;
    }
    service.clearFaults();
    await addConnection(workbench, service.baseUrl, service.key(), name);
    user.enteredKey = service.key();
  }

  async function findConnection(user: SimulatedUser): Promise<string | undefined> {
    await user.closeOverlays();
    await user.workbench.openSidebar('Grid Data');
    return (await user.workbench.treeRows()).map(row => /^Soak(?: \d+)?/.exec(row)?.[0]).find(Boolean);
  }

  async function replaceKey(user: SimulatedUser): Promise<void> {
    const { workbench } = user;
    const name = await findConnection(user);
    if (name === undefined) return;
    await workbench.runCommand('Grid Data: Replace Key…');
    await workbench.quickInput.pick(name);
    await workbench.quickInput.waitOpen('New Key');
    await workbench.quickInput.type(service.key());
    await workbench.quickInput.accept();
    user.enteredKey = service.key();
  }

  async function act(action: number): Promise<void> {
    const draw = new RandomChoices(seed, action);
    const window = draw.below(users.length);
    const user = users[window] ?? assert.fail();
    acting = user.workbench;
    // Windows in the background rarely draw, and mouse actions wait for drawing.
    await acting.page.bringToFront();
    const logAction = (description: string): void => log(`${action} window ${window + 1}: ${description}`);
    if (action % 25 === 0) {
      await connect(user, `Soak ${action}`);
      logAction('a connection');
    } else if (draw.chance(0.05)) logAction(`the service: ${service.changeFaults(draw)}`);
    else if (draw.chance(0.01)) {
      const offsetMs = draw.pick(clockOffsetsMs);
      writeFileSync(clock, String(offsetMs));
      logAction(`the clock: ${offsetMs / 1000} s away`);
    } else if (draw.chance(0.005)) {
      service.revoke();
      logAction('the service: revokes the key');
    } else if (draw.chance(user.enteredKey === service.key() ? 0.01 : 0.3)) {
      // Without a valid key there are no requests that the service's faults could affect.
      await replaceKey(user);
      logAction('replaces the key');
    } else logAction(await user.act(draw));
    // Links open new pages.
    const windowPages = users.map(({ workbench }) => workbench.page);
    for (const page of acting.page.context().pages()) if (!windowPages.includes(page)) await page.close();
    await checkMessages(acting, errors);
    await checkPages(acting, false);
    if (action % 20 === 0) checkAll();
    if (action % 100 === 99) await logPageMemory();
  }

  async function logPageMemory(): Promise<void> {
    const usedMegabytes = await Promise.all(users.map(async ({ workbench }) => measurePageMemory(workbench)));
    log(`megabytes of the windows: ${usedMegabytes.map(Math.round).join(', ')}`);
  }

  function checkAll(): void {
    assert.deepEqual(service.listRefusals(), [], 'requests beyond the limit');
    checkLogs(first.userDataDir);
  }

  it(`goes through ${actions} actions with seed ${seed}`, async () => {
    let action = 0;
    try {
      for (; action < actions; action++) await withTimeout(act(action), actionMs);
      service.clearFaults();
      for (const { workbench } of users) {
        acting = workbench;
        await checkPages(workbench, true);
      }
      checkAll();
    } catch (error) {
      const picture = await acting.screenshot(`soak-${seed}-${action}`).catch(String);
      const lastActions = actionLog.slice(-20).join('\n');
      throw new Error(
        `Seed ${seed}, action ${action}: ${String(error)}\nThe last actions:\n${lastActions}\npicture: ${picture}`,
        {
          cause: error,
        },
      );
    } finally {
      console.log(`    ${service.countAccepted()} requests; faults met: ${JSON.stringify(service.countFaults())}`);
      for (const [text, times] of errors) console.log(`    error shown (seen ${times} times): ${text}`);
    }
    for (const { first: initial, last } of readHostMemory(join(folder, 'memory.jsonl'))) {
      console.log(
        `    an extension host held ${initial.toFixed(1)} MB after its first minute, ${last.toFixed(1)} MB at the end`,
      );
      assert.ok(last - initial < maxGrowthMb, `an extension host grew by ${last - initial} MB`);
    }
  });
});

function hourOfFirstOfMay(hour: number): string {
  return new Date(Date.UTC(2026, 4, 1, hour)).toISOString();
}

async function withTimeout(action: Promise<void>, limitMs: number): Promise<void> {
  let timeout: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error('The action has not ended.')), limitMs);
  });
  await Promise.race([action, timedOut]).finally(() => clearTimeout(timeout));
}
