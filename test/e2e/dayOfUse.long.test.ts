import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { standInCompanion } from './harness/standIn.ts';
import { startWorkbench, usualViewport } from './harness/start.ts';
import { patienceMs } from '../support/waiting.ts';
import { Workbench } from './harness/workbench.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { checkLogs, checkMessages, checkPages, memoryOf, pageMemoryOf } from './soak/checks.ts';
import { Draw } from './soak/draw.ts';
import { Person } from './soak/person.ts';
import { startTroubledService, type TroubledService } from './soak/troubledService.ts';
import { addConnection } from './support.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const { values } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  options: { seed: { type: 'string' }, actions: { type: 'string' }, windows: { type: 'string' } },
});
const number = (name: string, usual: number): number => Number(values[name] ?? usual);
const [seed, actions, windows] = [number('seed', Date.now() % 100_000), number('actions', 2_000), number('windows', 4)];
/** What one action may take: a window that is loaded anew, on a busy machine. */
const actionMs = 2 * patienceMs;
const mostGrowthMb = 64;

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

/** How far from the machine's clock that of the extension hosts is set. */
const clocksAwayMs = [0, 0, 20_000, -20_000, 300_000, -300_000, 3_600_000, -3_600_000, 86_400_000];

/** What there is to open in the explorer. */
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
 * Four windows with one key and the explorer of a folder of data files, on a machine whose clock is set (`soak/companion`). Checked after each
 * action: no error that nothing explains, no page without a table, a message or a wait that ends; every twentieth: no request that the
 * sandbox refused for its limit, no error in the logs of the extension and its hosts; at the end what each extension host holds after
 * a collection. A failure names seed and action, and leaves a picture. The same seed draws the same; what is on screen then also
 * depends on how fast the machine is.
 */
describe('a day of use', () => {
  const folder = temporaryFolder();
  const clock = join(folder, 'clock');
  const done: string[] = [];
  const errors = new Map<string, number>();
  const people: Person[] = [];
  const ends: (() => Promise<void>)[] = [];
  let service: TroubledService;
  let first: Workbench;
  let acting: Workbench;

  const note = (line: string): void => {
    done.push(line);
    console.log(`    ${line}`);
  };

  before(async function () {
    // The server of VS Code is installed on Linux only.
    if (process.platform !== 'linux') this.skip();
    const opened = join(folder, 'workspace');
    mkdirSync(join(opened, '.vscode'), { recursive: true });
    writeFileSync(join(opened, '.vscode', 'grid-queries.json'), JSON.stringify(savedQueries));
    for (const [name, text] of Object.entries(dataFiles)) writeFileSync(join(opened, name), text);
    writeFileSync(clock, '0');
    service = await startTroubledService(seed);
    ends.push(service.close);
    first = acting = await startWorkbench({
      folder: opened,
      companions: [standInCompanion, join(import.meta.dirname, 'soak', 'companion')],
      env: { ...service.env, GRID_DATA_SOAK: folder },
    });
    ends.push(async () => first.dispose());
    people.push(new Person(first, service.key));
    const context = first.page.context();
    while (people.length < windows) {
      const page = await context.newPage();
      await page.setViewportSize(usualViewport);
      page.setDefaultTimeout(patienceMs);
      const { userDataDir } = first;
      const dispose = async (): Promise<void> => page.close();
      const parts = { page, url: first.page.url(), folder: opened, userDataDir, settings: {}, dispose };
      people.push(new Person(new Workbench(parts), service.key));
      await people.at(-1)?.workbench.open();
    }
    // Each window keeps the list of connections that it began with.
    for (const person of people) await connect(person, 'Soak');
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Goes back to the connection that the day is about, the only one that sends requests; makes it where somebody has removed it. */
  async function connect(person: Person, name: string): Promise<void> {
    const { workbench } = person;
    const known = await connectionOf(person);
    if (known !== undefined) {
      await workbench.runCommand('Grid Data Connections: Make Active');
      await workbench.quickInput.pick(known);
      return;
    }
    service.calm();
    await addConnection(workbench, service.baseUrl, service.key(), name);
    person.enteredKey = service.key();
  }

  async function connectionOf(person: Person): Promise<string | undefined> {
    await person.leaveBoxes();
    await person.workbench.openSidebar('Grid Data');
    return (await person.workbench.treeRows()).map(row => /^Soak(?: \d+)?/.exec(row)?.[0]).find(Boolean);
  }

  async function replaceKey(person: Person): Promise<void> {
    const { workbench } = person;
    const name = await connectionOf(person);
    if (name === undefined) return;
    await workbench.runCommand('Grid Data: Replace Key…');
    await workbench.quickInput.pick(name);
    await workbench.quickInput.waitOpen('New Key');
    await workbench.quickInput.type(service.key());
    await workbench.quickInput.accept();
    person.enteredKey = service.key();
  }

  async function act(action: number): Promise<void> {
    const draw = new Draw(seed, action);
    const window = draw.below(people.length);
    const person = people[window] ?? assert.fail();
    acting = person.workbench;
    // A window in the background draws seldom, and the mouse waits for what is drawn.
    await acting.page.bringToFront();
    const say = (what: string): void => note(`${action} window ${window + 1}: ${what}`);
    if (action % 25 === 0) {
      await connect(person, `Soak ${action}`);
      say('a connection');
    } else if (draw.chance(0.05)) say(`the service: ${service.change(draw)}`);
    else if (draw.chance(0.01)) {
      const awayMs = draw.of(clocksAwayMs);
      writeFileSync(clock, String(awayMs));
      say(`the clock: ${awayMs / 1000} s away`);
    } else if (draw.chance(0.005)) {
      service.revoke();
      say('the service: revokes the key');
    } else if (draw.chance(person.enteredKey === service.key() ? 0.01 : 0.3)) {
      // Without it there are no requests, and nothing for the service's troubles to spoil.
      await replaceKey(person);
      say('replaces the key');
    } else say(await person.act(draw));
    // Links open pages of their own.
    const own = people.map(({ workbench }) => workbench.page);
    for (const page of acting.page.context().pages()) if (!own.includes(page)) await page.close();
    await checkMessages(acting, errors);
    await checkPages(acting, false);
    if (action % 20 === 0) checkAll();
    if (action % 100 === 99) await notePages();
  }

  async function notePages(): Promise<void> {
    const held = await Promise.all(people.map(async ({ workbench }) => pageMemoryOf(workbench)));
    note(`megabytes of the windows: ${held.map(Math.round).join(', ')}`);
  }

  function checkAll(): void {
    assert.deepEqual(service.beyondLimit(), [], 'requests beyond the limit');
    checkLogs(first.userDataDir);
  }

  it(`goes through ${actions} actions with seed ${seed}`, async () => {
    let action = 0;
    try {
      for (; action < actions; action++) await within(act(action), actionMs);
      service.calm();
      for (const { workbench } of people) {
        acting = workbench;
        await checkPages(workbench, true);
      }
      checkAll();
    } catch (error) {
      const picture = await acting.screenshot(`soak-${seed}-${action}`).catch(String);
      const last = done.slice(-20).join('\n');
      throw new Error(
        `Seed ${seed}, action ${action}: ${String(error)}\nThe last actions:\n${last}\npicture: ${picture}`,
        {
          cause: error,
        },
      );
    } finally {
      console.log(`    ${service.accepted()} requests; faults met: ${JSON.stringify(service.met())}`);
      for (const [text, times] of errors) console.log(`    error shown (${times} looks): ${text}`);
    }
    for (const { first: early, last } of memoryOf(join(folder, 'memory.jsonl'))) {
      console.log(
        `    an extension host held ${early.toFixed(1)} MB after its first minute, ${last.toFixed(1)} MB at the end`,
      );
      assert.ok(last - early < mostGrowthMb, `an extension host grew by ${last - early} MB`);
    }
  });
});

function hourOfFirstOfMay(hour: number): string {
  return new Date(Date.UTC(2026, 4, 1, hour)).toISOString();
}

async function within(step: Promise<void>, limitMs: number): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('The action has not ended.')), limitMs);
  });
  await Promise.race([step, late]).finally(() => clearTimeout(limit));
}
