import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import type * as Extension from '../../src/extension.ts';
import { stateNames } from '../../src/host/ids.ts';
import { savedStateName } from '../../src/service/savedQueries/personalQueryStore.ts';
import { root } from '../../scripts/paths.ts';
import { contextKeys, registered, replaceModule } from '../support/fakeVscode.ts';

type Call = (...args: readonly unknown[]) => unknown;

const packageJSON = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  contributes: {
    commands: readonly { command: string }[];
    views: { gridData: readonly { id: string }[] };
    languageModelTools: readonly { name: string }[];
  };
};
const { commands, views, languageModelTools } = packageJSON.contributes;
const viewNames = views.gridData.map(({ id }) => `view ${id}`);
const replaced = [...commands.map(({ command }) => `command ${command}`), ...viewNames, 'lens', 'window state'];
const lasting = [
  ...languageModelTools.map(({ name }) => `tool ${name}`),
  ...['panel gridData.result', 'editor gridData.dataFile', 'texts grid-data-revisions', 'links'],
];

describe('the start of the extension', () => {
  let extension: typeof Extension;
  let state: Map<string, unknown>;
  let synced: readonly string[];
  /** Names in the state that were read. */
  let asked: Set<string>;
  /** The calls that reached the app. */
  let calls: unknown[][];
  let times = 0;

  /** The arguments that the app was started with. */
  let panels: { run: Call; refreshed: Call };
  const started = { end: async (): Promise<void> => Promise.resolve(void calls.push(['background ends'])) };
  const background = {
    startBackground(_: unknown, given: { run: Call; refreshed: Call }): unknown {
      calls.push(['background']);
      panels = given;
      return started;
    },
  };

  /** Notes its calls; of what VS Code knows once it registers the same as the real one. */
  const app = {
    startApp(_: unknown, given: unknown): unknown {
      assert.equal(given, started);
      calls.push(['start']);
      const note =
        (name: string): Call =>
        (...args) => {
          calls.push([name, ...args]);
          return name;
        };
      const noted = <T extends string>(...names: T[]) =>
        Object.fromEntries(names.map(name => [name, note(name)])) as Record<T, Call>;
      for (const name of replaced) {
        assert.ok(!registered.has(name), name);
        registered.set(name, note(name));
      }
      return {
        api: noted('datasets', 'connections', 'price', 'budget', 'query', 'open'),
        panels: noted('deserializeWebviewPanel', 'run', 'refreshed'),
        tools: Object.fromEntries(languageModelTools.map(({ name }) => [name, noted('prepareInvocation', 'invoke')])),
        revisions: noted('provideTextDocumentContent'),
        dataFiles: noted('openCustomDocument', 'resolveCustomEditor'),
        ...noted('followLink', 'end'),
      };
    },
  };

  beforeEach(async () => {
    registered.clear();
    contextKeys.clear();
    calls = [];
    state = new Map();
    asked = new Set();
    replaceModule('./app.ts', app);
    replaceModule('./background.ts', background);
    times += 1;
    extension = (await import(`../../src/extension.ts?${times}`)) as typeof Extension;
  });

  // Other files of the same worker register commands of their own.
  afterEach(() => registered.clear());

  function activate(): GridDataApi {
    const memento = {
      get: (name: string, otherwise: unknown) => (asked.add(name), state.get(name) ?? otherwise),
      setKeysForSync: (names: readonly string[]) => (synced = names),
    };
    const context = {
      extension: { packageJSON },
      subscriptions: [],
      globalState: memento,
      workspaceState: memento,
      globalStorageUri: { fsPath: join(tmpdir(), 'grid-data-no-such-folder') },
    };
    return extension.activate(context as unknown as vscode.ExtensionContext);
  }

  /** Calls a member of what is registered, or it itself. */
  function call(name: string, member?: string, ...args: readonly unknown[]): unknown {
    const found = registered.get(name);
    assert.ok(found, name);
    const run = member === undefined ? (found as Call) : (found as Record<string, Call>)[member];
    return run?.(...args);
  }

  /** Until the facts have been read: the last of them is set. */
  async function factsRead(): Promise<void> {
    while (!contextKeys.has('gridData.walkthrough')) await new Promise(resolve => setImmediate(resolve));
  }

  it('registers all that the manifest contributes, and loads nothing', async () => {
    activate();
    assert.deepEqual([...registered.keys()].sort(), [...replaced, ...lasting].sort());
    await factsRead();
    assert.deepEqual(calls, []);
    assert.deepEqual(synced, [savedStateName]);
    assert.deepEqual(
      [...contextKeys].filter(([, isSet]) => isSet),
      [['gridData.noConnection', true]],
    );
  });

  it('repeats the first command with its arguments, and is not in the way of the next', async () => {
    activate();
    const first = registered.get('command gridData.runQuery') as Call;
    assert.equal(await first({ dataset: 'systemState' }, [1]), 'command gridData.runQuery');
    assert.equal(await first('late'), 'command gridData.runQuery');
    assert.deepEqual(calls, [
      ['background'],
      ['start'],
      ['command gridData.runQuery', { dataset: 'systemState' }, [1]],
      ['command gridData.runQuery', 'late'],
    ]);
  });

  for (const [what, name, member, expected] of [
    ['a view that is shown', 'view gridData.savedQueries', 'getChildren', undefined],
    ['a queries file that is shown', 'lens', 'provideCodeLenses', undefined],
    ['a restored panel', 'panel gridData.result', 'deserializeWebviewPanel', 'deserializeWebviewPanel'],
    ['a data file', 'editor gridData.dataFile', 'resolveCustomEditor', 'resolveCustomEditor'],
    ['restored revisions', 'texts grid-data-revisions', 'provideTextDocumentContent', 'provideTextDocumentContent'],
    ['a link', 'links', 'handleUri', 'followLink'],
    ['a tool that a model prepares', 'tool gridData_checkBudget', 'prepareInvocation', 'prepareInvocation'],
    ['a tool that a model calls', 'tool gridData_checkBudget', 'invoke', 'invoke'],
  ] as const)
    it(`loads the app for ${what}`, async () => {
      activate();
      await call(name, member, 'one', 'two');
      const [first, second, ...rest] = calls;
      assert.deepEqual([first, second], [['background'], ['start']]);
      const args = name === 'links' ? ['one'] : ['one', 'two'];
      assert.deepEqual(rest, expected === undefined ? [] : [[expected, ...args]]);
      assert.deepEqual([...registered.keys()].sort(), [...replaced, ...lasting].sort());
      await call('command gridData.showLog');
      assert.equal(calls.filter(([first]) => first === 'start').length, 1);
    });

  for (const member of ['datasets', 'connections', 'price', 'budget', 'query', 'open'] as const)
    it(`loads the app for ${member} of the API`, async () => {
      const api = activate();
      assert.equal(api.version, 1);
      assert.equal(await (api[member] as Call)('one', 'two'), member);
      assert.deepEqual(calls, [['background'], ['start'], [member, ...(/s$/.test(member) ? [] : ['one', 'two'])]]);
    });

  it('loads at once what watches, and nothing else, where the stress is pinned', async () => {
    state.set(stateNames.pinnedStress, 'one');
    activate();
    await factsRead();
    assert.deepEqual(calls, [['background']]);
    assert.deepEqual([...registered.keys()].sort(), [...replaced, ...lasting].sort());
    panels.refreshed('query');
    assert.deepEqual(calls, [['background']], 'no panel is open that would show it');
    await panels.run('query', 'connection');
    assert.deepEqual(calls, [['background'], ['start'], ['run', 'query', 'connection']]);
    panels.refreshed('query');
    assert.deepEqual(calls.at(-1), ['refreshed', 'query']);
  });

  it('sets no context key again that the app has set', async () => {
    activate();
    await call('command gridData.showLog');
    // The last fact; what follows it is done at once.
    while (!asked.has(stateNames.walkthrough)) await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(contextKeys.size, 0);
  });

  it('loads what watches when the window has the focus again and another one has pinned the stress', async () => {
    activate();
    await factsRead();
    state.set(stateNames.pinnedStress, 'one');
    await call('window state', undefined, { focused: false });
    await call('window state', undefined, { focused: true });
    while (calls.length === 0) await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual(calls, [['background']]);
  });

  it('waits at the end for the app, where it was loaded', async () => {
    activate();
    await extension.deactivate();
    assert.equal(calls.length, 0);
    await call('command gridData.showLog');
    await extension.deactivate();
    assert.deepEqual(calls.slice(-2), [['end'], ['background ends']]);
  });
});
