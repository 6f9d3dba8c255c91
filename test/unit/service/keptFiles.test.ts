import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connections } from '../../../src/service/connections/connections.ts';
import { LimitFolder } from '../../../src/service/limiter/limitFolder.ts';
import { LockedText } from '../../../src/service/savedQueries/lockedText.ts';
import { PersonalQueryStore } from '../../../src/service/savedQueries/personalQueryStore.ts';
import { RecentRuns } from '../../../src/service/savedQueries/recentRuns.ts';
import { AlertHistoryFolder } from '../../../src/service/watch/alertHistoryStore.ts';
import { LastQuery } from '../../../src/host/query/lastQuery.ts';
import { realClock } from '../../support/realClock.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const kept = join(import.meta.dirname, '../../support/keptFiles');
/** When the files were written, UTC. */
const end = Date.UTC(2026, 10, 23, 8);

/**
 * What version 0.1.0 wrote on 23 November 2026, as it lay on disk and in VS Code's state: a later version reads it, or says
 * why not. The files are never written anew: a change that these tests do not survive needs a migration.
 */
describe('files and state of version 0.1.0', () => {
  const folder = temporaryFolder();
  const logged: string[] = [];
  const logger = { warn: (line: string) => logged.push(line) };

  before(() => cpSync(kept, folder, { recursive: true }));
  afterEach(() => {
    assert.deepEqual(logged.splice(0), []);
  });

  function sharedText(path: string): LockedText {
    return new LockedText({ path: join(folder, path), clock: realClock, random: () => 0.5 });
  }

  function memento(): { get: (name: string) => unknown; update: (name: string, value: unknown) => Promise<void> } {
    const stored = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as Record<string, unknown>;
    const state = new Map(Object.entries(stored));
    return {
      get: name => state.get(name),
      update: async (name, value) => Promise.resolve(void state.set(name, value)),
    };
  }

  it('reads saved queries and folders', async () => {
    const file = sharedText('savedQueries/savedQueries.json');
    const state = { get: () => undefined, update: async () => Promise.resolve() };
    const store = new PersonalQueryStore({ file, state, clock: { now: () => end }, windowId: 'kept' });
    await store.refresh();
    const names = store.tree().map(item => (item.kind === 'folder' ? [item.name, item.items[0]?.name] : item.name));
    assert.deepEqual(names, ['First', 'Middle', 'Fresh', ['Folder', 'Inner']]);
    const fresh = store.tree().find(({ name }) => name === 'Fresh');
    assert.ok(fresh?.kind === 'query' && fresh.keepFresh);
    assert.deepEqual(store.problems(), []);
  });

  it('reads recent runs', async () => {
    const runs = new RecentRuns({ file: sharedText('recentRuns/recentRuns.json') });
    await runs.refresh();
    assert.deepEqual(
      runs.list().map(({ at, outcome, requestsSpent }) => [at, outcome, requestsSpent]),
      [
        [1795422378722, { kind: 'rows', rows: 24 }, 1],
        [1795422374052, { kind: 'rows', rows: 24 }, 0],
        [1795422151995, { kind: 'rows', rows: 24 }, 0],
      ],
    );
  });

  it('reads what was spent of a budget', async () => {
    const limits = new LimitFolder({ folder: join(folder, 'limits'), clock: realClock, random: () => 0.5, logger });
    const name = 'df8353e64c94513ca731e71c7cd6f55088783574';
    const state = await limits.update(name, all => structuredClone(all));
    // Until the lock is gone: the folder may be removed then.
    await limits.read(name);
    assert.deepEqual(
      state.scopes['normalized_data']?.slots.map(({ at }) => at),
      [1795422136588],
    );
  });

  it('reads which hours alerts were already about', async () => {
    const clock = { ...realClock, now: () => end };
    const histories = new AlertHistoryFolder({ folder: join(folder, 'told'), clock, random: () => 0.5, logger });
    const { alerts } = await histories.update('kept', history => ({ history, value: history }));
    assert.deepEqual(alerts, [
      { id: 'a1', rule: '["over","wind_mw",3000]', from: Date.UTC(2026, 10, 22, 8), hours: [], late: false },
    ]);
  });

  it('reads connections and the last query', () => {
    const state = memento();
    const secrets = { get: async () => Promise.resolve(undefined), store: reject, delete: reject };
    const connections = new Connections({ state, secrets, newId: () => assert.fail('a new connection') });
    assert.deepEqual(
      connections.list().map(({ name, service, limits }) => [name, service, limits]),
      [
        ['Grid', 'other', { normalized_data: { requests: 60, seconds: 60 } }],
        ['Sample Data', 'sandbox', undefined],
      ],
    );
    assert.equal(connections.active()?.name, 'Sample Data');
    assert.deepEqual(new LastQuery(state).get(), {
      dataset: 'gridStress',
      range: 'last 7 days',
      interval: '1h',
      params: {},
      timeZone: 'UTC',
    });
  });
});

async function reject(): Promise<void> {
  return Promise.reject(new Error('writes nothing'));
}
