import assert from 'node:assert/strict';
import { createBudgetTooltip } from '../../src/host/limiter/budgetStatus.ts';
import * as vscode from 'vscode';
import type { Dataset } from '../../src/core/query/catalogue.ts';
import type { Connection } from '../../src/core/connections/connection.ts';
import { connection } from '../support/connection.ts';
import { GridError } from '../../src/core/errors.ts';
import { resolveQuery } from '../../src/core/query/query.ts';
import { ArchiveSize } from '../../src/host/archive/lazyArchive.ts';
import { Budgets } from '../../src/host/query/budgets.ts';
import { BudgetStatus } from '../../src/host/limiter/budgetStatus.ts';
import { tools } from '../../src/host/ids.ts';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import { ActiveRuns, type ActiveRun, type LastRequest } from '../../src/host/query/activeRuns.ts';
import { systemClock as clock } from '../../src/host/systemPorts.ts';
import { ConnectionsTreeDataProvider } from '../../src/host/connections/connectionsTreeDataProvider.ts';
import {
  describeRun,
  describeBudgets,
  type BudgetFacts,
  type ScopeBudget,
} from '../../src/host/query/budgetMessages.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/embedded.ts';
import { Emitter } from '../../src/service/emitter.ts';
import type { Budget } from '../../src/service/limiter/limiter.ts';
import { LimitFolder } from '../../src/service/limiter/limitFolder.ts';
import { SharedLimiter } from '../../src/service/limiter/sharedLimiter.ts';
import { until } from '../support/until.ts';
import { FakeEngine } from '../support/fakeEngine.ts';
import { createMachine } from '../support/realClock.ts';
import { getServiceDataset } from '../support/serviceQuery.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const resolved = resolveQuery(
  { dataset: 'systemState', range: 'last 90 days', interval: '1h', params: {}, timeZone: 'UTC' },
  0,
);
assert.ok(resolved.ok);
const query = resolved.value;

describe('the messages about the request budget', () => {
  const fullBudget: Budget = {
    left: 3,
    nextFreeInMs: 0,
    lastStartsInMs: 0,
    nextSlotInMs: undefined,
    allowed: 3,
    waiting: 0,
    blockedUntil: undefined,
    refusal: undefined,
  };
  const lastRequest: LastRequest = {
    query,
    at: Date.UTC(2026, 10, 14, 3, 5),
    requestsSpent: 3,
    rowCount: 2160,
    error: undefined,
  };

  it('lists the key, the scopes, the last request and the archive size in the budget tooltip', () => {
    const budgets = [
      createScopeBudget('systemState', { ...fullBudget, allowed: 10, left: 8, nextSlotInMs: 12_000 }),
      createScopeBudget('gridStress', fullBudget),
    ];
    assert.deepEqual(formatLines({ connection, budgets, archiveBytes: 400_000, last: lastRequest }), [
      'Grid sb_test_',
      'System state: 8 of 10 requests left, one more in 12 s',
      'Grid stress: 3 of 3 requests left',
      'Last request: System state · last 90 days · hourly, 14 Nov 2026 05:05 SAST (UTC+2), 3 requests: 2,160 rows',
      'Archive: 0.4 MB',
    ]);
  });

  it('shows the time until the next request and the number of queued requests if no budget is left', () => {
    const used = { ...fullBudget, left: 0, nextFreeInMs: 41_000, nextSlotInMs: 11_000, waiting: 2 };
    const lines = formatLines({
      connection,
      budgets: [createScopeBudget('gridStress', used)],
      archiveBytes: 0,
      last: undefined,
    });
    assert.equal(lines[1], 'Grid stress: 0 of 3 requests left, the next in 41 s, 2 waiting');
    assert.equal(lines.length, 3);
  });

  it('shows why the last request failed, or that the user canceled it', () => {
    const formatLastRequest = (error: GridError): string | undefined =>
      formatLines({
        connection,
        budgets: [],
        archiveBytes: 0,
        last: { ...lastRequest, rowCount: undefined, error },
      })[1];
    assert.match(
      formatLastRequest(new GridError('serverError', { status: 500 })) ?? '',
      /3 requests: The service failed \(500\)/,
    );
    assert.match(formatLastRequest(new GridError('cancelled')) ?? '', /3 requests: canceled$/);
  });

  it('describes each scope in one sentence for screen readers, without times that change every second', () => {
    const budgets = [
      createScopeBudget('systemState', { ...fullBudget, allowed: 10, left: 8, nextSlotInMs: 12_000 }),
      createScopeBudget('gridStress', { ...fullBudget, left: 0, nextFreeInMs: 41_000, waiting: 1 }),
    ];
    assert.equal(
      describeBudgets({ connection, budgets }),
      'Request budget of Grid. System state: 8 of 10 requests left. Grid stress: 0 of 3 requests left, 1 waiting.',
    );
  });

  it('describes the progress of a run and the reason for its wait', () => {
    const run: ActiveRun = {
      id: 1,
      query,
      connection,
      progress: undefined,
      waitsUntil: undefined,
      awaitsConfirmation: false,
      cancel: () => undefined,
    };
    const progress = { done: 3, total: 9 };
    assert.equal(describeRun(run, 0), 'in progress');
    assert.equal(
      describeRun({ ...run, progress, waitsUntil: 12_000 }, 0),
      '3 of 9 parts, waiting 12 s for the system state budget',
    );
    assert.equal(describeRun({ ...run, progress, waitsUntil: 12_000 }, 12_000), '3 of 9 parts, in progress');
    assert.equal(
      describeRun({ ...run, progress, awaitsConfirmation: true }, 0),
      '3 of 9 parts, waiting for you to confirm its plan',
    );
  });

  function createScopeBudget(id: string, budget: Budget): ScopeBudget {
    return { dataset: getServiceDataset(id), budget };
  }

  function formatLines(facts: BudgetFacts): string[] {
    const plain = createBudgetTooltip(facts, sast)
      .value.replaceAll('\\', '')
      .replaceAll('&nbsp;', ' ')
      .replaceAll(/ +/g, ' ');
    return plain.split('\n\n');
  }
});

describe('the status bar item', () => {
  // With a window of an hour, requests are still waiting during the assertions.
  const limit = { requests: 1, seconds: 3_600 };
  const budget = { origin: 'https://api.example.org', key: 'not-a-real-key', scope: 'features' };
  const folder = createTemporaryFolder();

  it('reads the budget of each scope as soon as it is created', async () => {
    const datasetsRead: string[] = [];
    const budgets = new Budgets({
      connections: { list: () => [connection], onDidChange: new Emitter().event },
      pricing: { getBudget: async (_, { id }) => Promise.resolve(void datasetsRead.push(id)) },
      activeRuns: { list: [], onDidChange: new Emitter<never>().event },
      logError: error => assert.fail(String(error)),
    });
    assert.deepEqual(datasetsRead, ['systemState', 'gridStress']);
    await waitForBudgets(budgets);
    budgets.dispose();
  });

  it("shows a warning only while another window's request waits, and reads the archive size only once", async () => {
    const otherWindow = createLimiter('other');
    const thisWindow = createLimiter('own');
    const item = createFakeItem();
    const connectionsListener: { notify?: () => void } = {};
    let activeConnection = connection;
    let sizeReads = 0;
    const errors: unknown[] = [];
    const activeRuns = new ActiveRuns(new FakeEngine(async () => Promise.reject(new Error('unexpected run'))), clock);
    const logError = (error: unknown): void => void errors.push(error);
    const connections = {
      active: () => activeConnection,
      list: () => [activeConnection],
      findById: () => activeConnection,
      onDidChange: (listener: () => void) => {
        connectionsListener.notify ??= listener;
        return { dispose: () => undefined };
      },
    };
    const pricing = {
      getBudget: async (_: Connection, { scope }: Dataset) =>
        scope === budget.scope ? thisWindow.budget(budget, limit) : undefined,
    };
    const budgets = new Budgets({ connections, pricing, activeRuns, logError });
    const archiveSize = new ArchiveSize({
      archive: { size: async () => Promise.resolve(++sizeReads) },
      clock: { now: () => 0 },
    });
    const status = new BudgetStatus({ connections, budgets, activeRuns, archiveSize, clock, logError }, item);
    const tree = new ConnectionsTreeDataProvider({ connections, budgets, activeRuns });
    let treeChanges = 0;
    tree.onDidChangeTreeData(() => (treeChanges += 1));
    const readTreeItem = (): unknown => tree.getTreeItem({ kind: 'connection', id: connection.id }).description;
    try {
      await waitForBudgets(budgets);
      assert.deepEqual(
        [item.visible, readTreeItem()],
        [false, 'sb_test_ 1/1'],
        'a full budget is not in the status bar',
      );

      const permit = await otherWindow.acquire(budget, limit);
      const cancel = new AbortController();
      const waiting = otherWindow.acquire(budget, limit, { signal: cancel.signal }).catch(() => 'cancelled');
      permit.release('counted');
      connectionsListener.notify?.();
      await until('a warning', () => item.backgroundColor);
      assert.deepEqual([item.visible, item.text, readTreeItem()], [true, '$(watch) 0/1', 'sb_test_ 0/1']);
      assert.deepEqual(item.backgroundColor, new vscode.ThemeColor('statusBarItem.warningBackground'));
      assert.equal(
        item.accessibilityInformation?.label,
        'Request budget of Grid. Grid stress: 0 of 1 requests left, 1 waiting.',
      );

      cancel.abort();
      assert.equal(await waiting, 'cancelled');
      await until(
        'no warning',
        () => item.backgroundColor,
        color => color === undefined,
      );
      assert.deepEqual([item.visible, item.text, readTreeItem()], [true, '$(pulse) 0/1', 'sb_test_ 0/1']);
      assert.deepEqual([sizeReads, errors], [1, []]);
      const previousChanges = treeChanges;
      await waitForBudgets(budgets);
      assert.equal(treeChanges, previousChanges, 'an unchanged tree item is not refreshed, since its menu may be open');

      activeConnection = { ...connection, state: 'rejected' };
      await waitForBudgets(budgets);
      await until(
        'the rejected key',
        () => item.text,
        text => text !== '$(pulse) 0/1',
      );
      assert.deepEqual([item.text, readTreeItem()], ['$(pulse) key rejected', 'sb_test_ key rejected']);
      activeConnection = { ...connection, state: 'unchecked' };
      await waitForBudgets(budgets);
      await until(
        'the unchecked key',
        () => item.text,
        text => text !== '$(pulse) key rejected',
      );
      assert.deepEqual([item.text, readTreeItem()], ['$(pulse) 0/1', 'sb_test_ unchecked 0/1']);
    } finally {
      tree.dispose();
      status.dispose();
      budgets.dispose();
    }
  });

  async function waitForBudgets(budgets: Budgets): Promise<void> {
    await new Promise<void>(resolve => {
      const subscription = budgets.onDidRead(() => {
        subscription.dispose();
        resolve();
      });
    });
  }

  function createLimiter(window: string): SharedLimiter {
    const store = new LimitFolder({ folder, clock, random: Math.random, logger: { warn: () => undefined } });
    const machine = createMachine(clock);
    return new SharedLimiter({ store, clock, machine, window, fingerprint: async () => Promise.resolve('0123abcd') });
  }

  function createFakeItem(): vscode.StatusBarItem & { visible: boolean } {
    const item = {
      visible: false,
      text: '',
      tooltip: undefined,
      backgroundColor: undefined,
      show: () => void (item.visible = true),
      hide: () => void (item.visible = false),
      dispose: () => undefined,
    };
    return item as unknown as vscode.StatusBarItem & { visible: boolean };
  }
});

describe('the budget menu', () => {
  let sandbox: RunningSandbox;
  let api: GridDataApi;

  before(async () => {
    sandbox = await startSandbox();
    const extension = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
    assert.ok(extension);
    api = await extension.activate();
    const key = sandbox.createKey('budget').value;
    // The number is the limit of the service. With a window of an hour, requests are still waiting during the assertions.
    const limits = { features: { requests: 3, seconds: 3_600 } };
    const argument = { name: 'Budget', baseUrl: sandbox.baseUrl, key, verify: false, limits };
    await vscode.commands.executeCommand('gridData.addConnection', argument);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await sandbox.close();
  });

  it('shows the plan of a waiting run without a panel, and cancels it', async () => {
    const runQuery = async (range: string): Promise<string> =>
      api.query({ dataset: 'gridStress', range, connection: 'Budget' }).then(
        () => 'completed',
        (error: unknown) => String((error as { reason?: unknown }).reason),
      );
    const ranges = ['2023-01-01', '2023-01-02', '2023-01-03'];
    assert.deepEqual(await Promise.all(ranges.map(runQuery)), ['completed', 'completed', 'completed']);
    const lastRun: { outcome?: string } = {};
    void runQuery('2023-01-04').then(outcome => (lastRun.outcome = outcome));
    await until(
      'the waiting request',
      async () => {
        const input = { toolInvocationToken: undefined, input: {} };
        const { content } = await vscode.lm.invokeTool(tools.checkBudget, input);
        return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
      },
      text => /Budget.*gridStress: 0 of 3 requests left[^\n]*, 1 waiting/.test(text),
    );
    assert.equal(
      lastRun.outcome,
      undefined,
      'the fourth request exceeds the limit of three and waits for the next hour',
    );
    const menu = vscode.commands.executeCommand('gridData.showBudget');
    await until('the end of the run', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return lastRun.outcome;
    });
    assert.equal(lastRun.outcome, 'cancelled');
    await menu;
  });
});
