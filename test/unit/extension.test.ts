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
const standInNames = [...commands.map(({ command }) => `command ${command}`), ...viewNames, 'lens', 'window state'];
const permanentNames = [
  ...languageModelTools.map(({ name }) => `tool ${name}`),
  ...[
    'panel gridData.result',
    'editor gridData.dataFile',
    'texts grid-data-revisions',
    'links',
    'mcp gridData.mcpServers',
  ],
];

describe('the activation of the extension', () => {
  let extension: typeof Extension;
  let state: Map<string, unknown>;
  let syncedKeys: readonly string[];
  /** The keys of the state that were read. */
  let readKeys: Set<string>;
  /** The calls that reached the app. */
  let calls: unknown[][];
  let startCounts = 0;

  /** The arguments with which the app was started. */
  let panels: { run: Call; refreshed: Call };
  const started = { end: async (): Promise<void> => Promise.resolve(void calls.push(['background ends'])) };
  const background = {
    startBackground(_: unknown, callbacks: { run: Call; refreshed: Call }): unknown {
      calls.push(['background']);
      panels = callbacks;
      return started;
    },
  };

  /** Records its calls, and registers what VS Code needs like the real app. */
  const app = {
    startApp(_: unknown, startArgs: unknown): unknown {
      assert.equal(startArgs, started);
      calls.push(['start']);
      const recordCall =
        (name: string): Call =>
        (...args) => {
          calls.push([name, ...args]);
          return name;
        };
      const createRecorders = <T extends string>(...names: T[]) =>
        Object.fromEntries(names.map(name => [name, recordCall(name)])) as Record<T, Call>;
      for (const name of standInNames) {
        assert.ok(!registered.has(name), name);
        registered.set(name, recordCall(name));
      }
      return {
        api: createRecorders('datasets', 'connections', 'price', 'budget', 'query', 'open'),
        panels: createRecorders('deserializeWebviewPanel', 'run', 'refreshed'),
        tools: Object.fromEntries(
          languageModelTools.map(({ name }) => [name, createRecorders('prepareInvocation', 'invoke')]),
        ),
        revisions: createRecorders('provideTextDocumentContent'),
        dataFiles: createRecorders('openCustomDocument', 'resolveCustomEditor'),
        ...createRecorders('followLink', 'end'),
      };
    },
  };

  beforeEach(async () => {
    registered.clear();
    contextKeys.clear();
    calls = [];
    state = new Map();
    readKeys = new Set();
    replaceModule('./app.ts', app);
    replaceModule('./background.ts', background);
    startCounts += 1;
    extension = (await import(`../../src/extension.ts?${startCounts}`)) as typeof Extension;
  });

  // Other files of the same worker register commands of their own.
  afterEach(() => registered.clear());

  function activate(): GridDataApi {
    const memento = {
      get: (name: string, otherwise: unknown) => (readKeys.add(name), state.get(name) ?? otherwise),
      setKeysForSync: (names: readonly string[]) => (syncedKeys = names),
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

  /** Calls a registration, or a member of it. */
  function callRegistered(name: string, member?: string, ...args: readonly unknown[]): unknown {
    const registration = registered.get(name);
    assert.ok(registration, name);
    const invoke = member === undefined ? (registration as Call) : (registration as Record<string, Call>)[member];
    return invoke?.(...args);
  }

  /** Waits until the facts have been read; the last of them is set then. */
  async function waitForFacts(): Promise<void> {
    while (!contextKeys.has('gridData.walkthrough')) await new Promise(resolve => setImmediate(resolve));
  }

  it('registers everything that the manifest contributes, and loads nothing', async () => {
    activate();
    assert.deepEqual([...registered.keys()].sort(), [...standInNames, ...permanentNames].sort());
    await waitForFacts();
    assert.deepEqual(calls, []);
    assert.deepEqual(syncedKeys, [savedStateName]);
    assert.deepEqual(
      [...contextKeys].filter(([, isSet]) => isSet),
      [['gridData.noConnection', true]],
    );
  });

  it('describes the MCP server without the app and without a key, and loads the app when the server starts', () => {
    activate();
    const name = 'mcp gridData.mcpServers';
    const [server] = callRegistered(name, 'provideMcpServerDefinitions') as { given: unknown[] }[];
    const [label, command, args, env] = server?.given ?? [];
    assert.deepEqual([label, command], ['Grid Data', process.execPath]);
    assert.match(String(args), /grid\.js,mcp$/);
    assert.deepEqual(env, {
      ELECTRON_RUN_AS_NODE: '1',
      GRID_DATA_STORAGE: join(tmpdir(), 'grid-data-no-such-folder'),
      GRID_DATA_API_KEY: null,
    });
    assert.deepEqual(calls, []);
    assert.equal(callRegistered(name, 'resolveMcpServerDefinition', server), server);
    assert.deepEqual(calls, [['background'], ['start']]);
  });

  it('repeats the first command with its arguments, and passes later ones on', async () => {
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

  for (const [description, name, member, expected] of [
    ['a view that is shown', 'view gridData.savedQueries', 'getChildren', undefined],
    ['a queries file that is shown', 'lens', 'provideCodeLenses', undefined],
    ['a restored panel', 'panel gridData.result', 'deserializeWebviewPanel', 'deserializeWebviewPanel'],
    ['a data file', 'editor gridData.dataFile', 'resolveCustomEditor', 'resolveCustomEditor'],
    ['restored revisions', 'texts grid-data-revisions', 'provideTextDocumentContent', 'provideTextDocumentContent'],
    ['a link', 'links', 'handleUri', 'followLink'],
    ['a tool that a model prepares', 'tool gridData_checkBudget', 'prepareInvocation', 'prepareInvocation'],
    ['a tool that a model calls', 'tool gridData_checkBudget', 'invoke', 'invoke'],
  ] as const)
    it(`loads the app for ${description}`, async () => {
      activate();
      await callRegistered(name, member, 'one', 'two');
      const [first, second, ...laterCalls] = calls;
      assert.deepEqual([first, second], [['background'], ['start']]);
      const args = name === 'links' ? ['one'] : ['one', 'two'];
      assert.deepEqual(laterCalls, expected === undefined ? [] : [[expected, ...args]]);
      assert.deepEqual([...registered.keys()].sort(), [...standInNames, ...permanentNames].sort());
      await callRegistered('command gridData.showLog');
      assert.equal(calls.filter(([first]) => first === 'start').length, 1);
    });

  for (const member of ['datasets', 'connections', 'price', 'budget', 'query', 'open'] as const)
    it(`loads the app for ${member} of the API`, async () => {
      const api = activate();
      assert.equal(api.version, 1);
      assert.equal(await (api[member] as Call)('one', 'two'), member);
      assert.deepEqual(calls, [['background'], ['start'], [member, ...(/s$/.test(member) ? [] : ['one', 'two'])]]);
    });

  it('loads only the background at once, if the stress index is pinned', async () => {
    state.set(stateNames.pinnedStress, 'one');
    activate();
    await waitForFacts();
    assert.deepEqual(calls, [['background']]);
    assert.deepEqual([...registered.keys()].sort(), [...standInNames, ...permanentNames].sort());
    panels.refreshed('query');
    assert.deepEqual(calls, [['background']], 'no panel is open that would show it');
    await panels.run('query', 'connection');
    assert.deepEqual(calls, [['background'], ['start'], ['run', 'query', 'connection']]);
    panels.refreshed('query');
    assert.deepEqual(calls.at(-1), ['refreshed', 'query']);
  });

  it('does not overwrite a context key that the app has set', async () => {
    activate();
    await callRegistered('command gridData.showLog');
    // This is the last fact, and what follows it runs synchronously.
    while (!readKeys.has(stateNames.walkthrough)) await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(contextKeys.size, 0);
  });

  it('loads the background when the window is focused after another one has pinned the stress index', async () => {
    activate();
    await waitForFacts();
    state.set(stateNames.pinnedStress, 'one');
    await callRegistered('window state', undefined, { focused: false });
    await callRegistered('window state', undefined, { focused: true });
    while (calls.length === 0) await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual(calls, [['background']]);
  });

  it('disposes of the app at the end, if it was loaded', async () => {
    activate();
    await extension.deactivate();
    assert.equal(calls.length, 0);
    await callRegistered('command gridData.showLog');
    await extension.deactivate();
    assert.deepEqual(calls.slice(-2), [['end'], ['background ends']]);
  });
});
