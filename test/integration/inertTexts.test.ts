import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findDataset } from '../../src/core/query/catalogue.ts';
import { Run } from '../../src/service/query/run.ts';
import type { Connection } from '../../src/core/connections/connection.ts';
import { GridError, type FailureReason } from '../../src/core/errors.ts';
import { parseQueriesFile } from '../../src/core/savedQueries/file/queriesFile.ts';
import type { SavedItem, SavedQuery } from '../../src/core/savedQueries/savedItem.ts';
import { allQueries, walk } from '../../src/core/savedQueries/walk.ts';
import { registerBudgetCommands } from '../../src/host/limiter/budgetCommands.ts';
import { checkConnection } from '../../src/host/connections/connectionCheck.ts';
import { pickConnection } from '../../src/host/connections/pickConnection.ts';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import { InputError } from '../../src/host/inputError.ts';
import * as messages from '../../src/host/messages/messages.ts';
import { promptComparison } from '../../src/host/panel/comparePrompt.ts';
import { promptQuery } from '../../src/host/query/queryPrompt.ts';
import { promptSnooze, promptTurnOff } from '../../src/host/watch/alertPrompt.ts';
import type { QueryStore } from '../../src/host/savedQueries/queryStore.ts';
import type { QueryStores } from '../../src/host/savedQueries/queryStores.ts';
import { pickEntries, pickDestination } from '../../src/host/savedQueries/savedPrompts.ts';
import { SavedQueriesTreeDataProvider } from '../../src/host/savedQueries/savedQueriesTreeDataProvider.ts';
import { RecentRunsTreeDataProvider } from '../../src/host/savedQueries/recentRunsTreeDataProvider.ts';
import { toLanguageModelTool } from '../../src/host/tools/languageModelTools.ts';
import { ConnectionsTreeDataProvider } from '../../src/host/connections/connectionsTreeDataProvider.ts';
import { resolveWatchedItem } from '../../src/host/watch/watchCommands.ts';
import { WatchNotices } from '../../src/host/watch/watchNotices.ts';
import { createBudgetTooltip } from '../../src/host/limiter/budgetStatus.ts';
import { describeBudgets } from '../../src/host/query/budgetMessages.ts';
import { formatStressLines } from '../../src/host/watch/stressStatus.ts';
import { Emitter } from '../../src/service/emitter.ts';
import type { Connections } from '../../src/service/connections/connections.ts';
import type { RecentRun } from '../../src/service/savedQueries/recentRuns.ts';
import { hostileTexts } from '../hostile/texts.ts';
import { assertInert, collectTexts, captureShownTexts, type Shown } from './screen.ts';

const zone = { timeZone: 'UTC', label: 'UTC' };
const now = Date.UTC(2026, 10, 14, 5, 30);
const failures: readonly (readonly [FailureReason, number])[] = [
  ['badRequest', 400],
  ['keyRejected', 401],
  ['forbidden', 403],
  ['notFound', 404],
  ['throttled', 429],
  ['serverError', 500],
  ['redirected', 302],
  ['unreachable', 0],
  ['damagedResponse', 200],
];

/** Functions that display an untrusted text and return what the user sees, by the name of the UI. */
const collectors: Readonly<Record<string, (text: string) => Promise<Shown[]>>> = {
  'a failure with the message of the service': async text =>
    captureShownTexts(async () => {
      const { boundary } = createFakes(text);
      for (const [reason, status] of failures) await boundary.report(new GridError(reason, { status, detail: text }));
    }),
  'a rejected input': async text =>
    captureShownTexts(async () => createFakes(text).boundary.report(new InputError(text))),
  'the tree item of a saved query, its tooltip and its folder': async text => {
    const { stores, getStatus, store } = createFakes(text);
    const tree = new SavedQueriesTreeDataProvider({ stores, getStatus });
    const nodes = walk(store.tree()).map(({ item }) => ({ kind: 'item', store, item }) as const);
    const treeItems = [{ kind: 'store', store } as const, ...nodes].map(node =>
      tree.resolveTreeItem(tree.getTreeItem(node), node),
    );
    return Promise.resolve(treeItems.flatMap(collectTexts));
  },
  'the tree item of a recent run': async text => {
    const { run } = createFakes(text);
    const tree = new RecentRunsTreeDataProvider({ list: () => [{ ...run, data: 'synthetic' }] }, () => now);
    return Promise.resolve(collectTexts(tree.getTreeItem({ kind: 'recentRun', id: run.id })));
  },
  'the tree item of a connection': async text => {
    const { connections, lastRequest, connection } = createFakes(text);
    const tree = new ConnectionsTreeDataProvider({
      connections,
      budgets: { of: () => [], onDidRead: new Emitter().event },
      activeRuns: { lastRequest: () => lastRequest },
    });
    return Promise.resolve(collectTexts(tree.getTreeItem({ kind: 'connection', id: connection.id })));
  },
  'the budget and the stress in the status bar': async text => {
    const { connection, lastRequest, statusItem } = createFakes(text);
    const facts = { connection, budgets: [], archiveBytes: 0, last: lastRequest };
    const error = new GridError('serverError', { status: 500, detail: text });
    const lines = formatStressLines({ connection, latest: undefined, error }, zone);
    const tooltip = createBudgetTooltip(facts, zone);
    messages.showStatusBarText(statusItem, { icon: 'pulse', text, tooltip, spoken: describeBudgets(facts) });
    const label = statusItem.text.replace('$(pulse) ', '');
    return Promise.resolve([...collectTexts(statusItem), label, messages.createMarkdown(lines), tooltip]);
  },
  'the menu of the budget': async text =>
    captureShownTexts(async () => {
      const { connection, lastRequest, query } = createFakes(text);
      const run = { id: 1, query, connection, progress: undefined, waitsUntil: now + 1, awaitsConfirmation: false };
      const commands: (() => Promise<unknown>)[] = [];
      const register = (_: string, command: () => Promise<unknown>): void => void commands.push(command);
      registerBudgetCommands({
        boundary: { register } as unknown as ErrorBoundary,
        status: { facts: async () => Promise.resolve({ connection, budgets: [], archiveBytes: 0, last: lastRequest }) },
        activeRuns: { list: [{ ...run, cancel: () => undefined }], onDidChange: new Emitter<never>().event },
        sessions: { reveal: () => false },
        clock: { now: () => now },
        logError: error => assert.fail(String(error)),
      });
      await commands[0]?.();
    }),
  'the pickers': async text =>
    captureShownTexts(async () => {
      const { store, connections, item, entries, query } = createFakes(text);
      await pickConnection(connections, `No connection named '${text}'.`);
      await pickDestination([store, store], text);
      await pickEntries(entries, text, 'one');
      await pickEntries(entries, text, 'several');
      await resolveWatchedItem({ all: () => [item], settle: async () => Promise.resolve() }, undefined, {
        placeHolder: text,
        accepts: () => true,
        none: '',
      });
      await promptSnooze(text, now, zone);
      await promptTurnOff(item);
      await promptComparison({ ...query, interval: text }, now, async () => Promise.resolve(1));
      await promptQuery({ now, zone, last: { ...item.query.query, dataset: 'systemState' }, connection: text });
    }),
  'the progress of a key check': async text =>
    captureShownTexts(async () => {
      const { connection } = createFakes(text);
      const engine = {
        runAt: () =>
          new Run(
            {},
            async () => Promise.reject(new GridError('timeout')),
            () => undefined,
          ),
      };
      await checkConnection({ ...connection, name: text, key: 'sb_test_not_a_real_key' }, { engine, nowAt: () => now });
    }),
  'notifications of alerts': async text =>
    captureShownTexts(async () => {
      const { item, connection } = createFakes(text);
      const notices = new WatchNotices({
        panels: { run: async () => Promise.reject(new Error('unexpected run')), refreshed: () => undefined },
        edits: { snooze: async () => Promise.resolve(), turnOff: async () => Promise.resolve() },
        nowAt: () => now,
        report: error => assert.fail(String(error)),
      });
      const alert = { id: 'one', kind: 'condition', condition: `${text} > 1`, on: true } as const;
      notices.alerted(item, connection, [
        { alert, findings: [{ hour: now, value: 2, field: { name: text, label: text, unit: text } }] },
      ]);
      for (const reason of ['keyRejected', 'noKey', 'forbidden'] as const)
        notices.stopped({ connectionId: 'one', reason, dataset: text }, connection);
      notices.lost(text, 2);
      await new Promise(resolve => setImmediate(resolve));
    }),
  'the confirmation of a tool call': async text => {
    const prepare = async (): Promise<object> =>
      Promise.resolve({ invocationMessage: text, confirmationMessages: { title: text, message: text } });
    const tool = toLanguageModelTool({ prepare, invoke: async () => Promise.resolve({ text: '' }) }, () => undefined);
    const { token } = new vscode.CancellationTokenSource();
    const { invocationMessage, confirmationMessages } = (await tool.prepareInvocation?.({ input: {} }, token)) ?? {};
    return [invocationMessage, confirmationMessages].flatMap(collectTexts);
  },
  'every function that shows a message': async text =>
    captureShownTexts(async () => {
      const options = { modal: true, detail: text };
      await messages.showErrorMessage(text, options, { title: text });
      await messages.showWarningMessage(text, options, text);
      await messages.showInformationMessage(text, text);
      messages.setStatusBarMessage(text, 1);
      const { Notification } = vscode.ProgressLocation;
      await messages.withProgress({ location: Notification, title: text }, async progress => {
        progress.report({ message: text });
        return Promise.resolve();
      });
      const items = [
        { label: text, description: text, detail: text, buttons: [{ iconPath: vscode.ThemeIcon.File, tooltip: text }] },
      ];
      await messages.showQuickPick(items, { title: text, placeHolder: text });
      const pick = messages.createQuickPick();
      Object.assign(pick, { title: text, placeholder: text, items });
      pick.show();
      const input = messages.createInputBox();
      Object.assign(input, { title: text, placeholder: text, prompt: text, validationMessage: { message: text } });
      input.show();
    }),
};

describe('untrusted texts', () => {
  for (const [ui, collect] of Object.entries(collectors)) {
    it(`are shown without links, commands and icons in ${ui}`, async () => {
      for (const { name, text } of hostileTexts) assertInert(await collect(text), `${ui}, ${name}`);
    });
  }

  it('fail the check of this file if they are not escaped', () => {
    const [link] = hostileTexts;
    assert.throws(() => assertInert([link?.text ?? ''], 'plain'), /plain/);
    assert.throws(() => assertInert([new vscode.MarkdownString('https://evil.example')], 'markdown'), /markdown/);
  });

  it('cannot add commands to a link of the extension', () => {
    const label = { label: 'Unpin', command: 'gridData.unpinStress' };
    const { value, isTrusted } = messages.createMarkdown(['[x](command:other)'], { link: label });
    assert.ok(value.endsWith('[Unpin](command:gridData.unpinStress)'));
    assert.deepEqual(isTrusted, { enabledCommands: ['gridData.unpinStress'] });
  });
});

/** Creates fake objects with the text in every field that could contain it. */
function createFakes(text: string) {
  const connection: Connection = {
    id: 'one',
    name: text,
    service: 'other',
    baseUrl: text,
    keyPrefix: text,
    state: 'works',
  };
  const connections = {
    list: () => [connection],
    findById: () => connection,
    findByName: () => connection,
    active: () => connection,
    onDidChange: new Emitter().event,
  } as unknown as Connections;
  const tree = createTree(text);
  const store: QueryStore = {
    key: 'file',
    kind: 'workspace',
    name: text,
    tree: () => tree,
    edit: async () => Promise.resolve(),
    onDidChange: new Emitter().event,
  };
  const saved = allQueries(tree)[0] ?? assert.fail('the file has a query');
  const dataset = findDataset('systemState') ?? assert.fail('a known dataset');
  const error = new GridError('serverError', { status: 500, detail: text });
  const query = {
    dataset,
    range: text,
    interval: '1h',
    params: { [text]: text },
    start: now - 7_200_000,
    end: now,
    intervalMs: 3_600_000,
    timeZone: 'UTC',
  };
  const outcome = { kind: 'failed', reason: text } as const;
  const run: RecentRun = {
    id: '1',
    at: now,
    requestsSpent: 1,
    outcome,
    query: saved.query,
    connection: { id: '1', name: text },
  };
  return {
    connection,
    connections,
    store,
    query,
    run,
    stores: { list: () => [store], find: () => undefined } as unknown as QueryStores,
    getStatus: () => ({ connection: { name: text, service: 'other' as const }, lastRun: run, isFresh: true, now }),
    entries: walk(tree).map(({ item }) => ({ store, item })),
    item: { id: 'file/1', store: 'workspace' as const, query: saved },
    lastRequest: { query, at: now, requestsSpent: 1, rowCount: undefined, error },
    statusItem: { text: '', show: () => undefined } as unknown as vscode.StatusBarItem,
    boundary: new ErrorBoundary({ logError: () => undefined }),
  };
}

/** Creates items with the text in every field: a folder with a query, and the items of a workspace file that contains the text. */
function createTree(text: string): readonly SavedItem[] {
  const query = { dataset: text, range: text, interval: text, params: { [text]: text }, timeZone: 'UTC' };
  const saved: SavedQuery = { kind: 'query', id: '1', name: text, query, connection: text, keepFresh: true };
  const folder: SavedItem = { kind: 'folder', id: '2', name: text, items: [saved] };
  const fileQuery = { name: text, dataset: 'systemState', range: 'last 7 days', connection: text };
  const file = { queries: [{ folder: text, queries: [fileQuery] }] };
  return [folder, ...(text.length > 100_000 ? [] : parseQueriesFile(JSON.stringify(file)).tree)];
}
