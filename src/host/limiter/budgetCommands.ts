import { formatQueryTitle } from '../messages/queryTitle.ts';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import type { BudgetStatus } from './budgetStatus.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { createQuickPick, showInformationMessage } from '../messages/messages.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { type ActiveRun, type ActiveRuns, waitsForBudget } from '../query/activeRuns.ts';
import { displayZone } from '../settings.ts';
import {
  type BudgetFacts,
  describeLastRequest,
  describeRun,
  describeBudgetWithCountdown,
} from '../query/budgetMessages.ts';
import { formatSize } from '../messages/numbers.ts';
import { datasets, type Limit } from '../../core/query/catalogue.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { input, pick } from '../messages/prompts.ts';
import { resolveConnection } from '../connections/pickConnection.ts';

interface BudgetCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly status: Pick<BudgetStatus, 'facts'>;
  readonly activeRuns: Pick<ActiveRuns, 'list' | 'onDidChange'>;
  readonly sessions: Pick<QuerySessions, 'reveal'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logError: (error: unknown) => void;
}

/** An item of the menu. An item that only informs has neither a run nor a command. */
interface MenuItem extends vscode.QuickPickItem {
  /** Identifies the item after a refresh. */
  readonly id: string;
  readonly run?: ActiveRun;
  readonly command?: string;
}

/** The interval of updates: short enough for countdowns, and long enough for screen readers. */
const refreshMs = 5000;

/** Registers the menu of the status item: the budget, the active runs, and commands for log, connections and archive. */
export function registerBudgetCommands(deps: BudgetCommandsDeps): vscode.Disposable {
  return deps.boundary.register(commands.showBudget, async () => {
    const selected = await showMenu(deps);
    if (selected?.run) await showRun(selected.run, deps);
    if (selected?.command) await vscode.commands.executeCommand(selected.command);
  });
}

/** Reveals the panel of a run. A run without a panel is shown as a notification with a Cancel button. */
async function showRun(run: ActiveRun, { sessions, clock }: BudgetCommandsDeps): Promise<void> {
  if (sessions.reveal({ ...run.query, dataset: run.query.dataset.id }, run.connection)) return;
  const cancel = t('Cancel');
  const sentence = `${formatQueryTitle(run.query)}: ${describeRun(run, clock.now())}`;
  if ((await showInformationMessage(sentence, cancel)) === cancel) run.cancel();
}

/** Shows the menu and updates it until an item is chosen or the menu is closed. */
async function showMenu({ status, activeRuns, clock, logError }: BudgetCommandsDeps): Promise<MenuItem | undefined> {
  let facts = await status.facts();
  let isOpen = true;
  const box = createQuickPick<MenuItem>();
  box.keepScrollPosition = true;
  const updateItems = (): void => {
    const active = box.activeItems[0]?.id;
    box.placeholder = activeRuns.list.length > 0 ? t('Request budget: select a run to see it') : t('Request budget');
    box.items = createMenuItems(facts, activeRuns.list, clock.now());
    // The first run is the most likely reason to open the menu.
    const first = box.items.find(item => (active === undefined ? item.run : item.id === active));
    if (first) box.activeItems = [first];
  };
  const refresh = (): void => {
    void status.facts().then(newFacts => {
      facts = newFacts;
      if (isOpen) updateItems();
    }, logError);
  };
  updateItems();
  const subscription = activeRuns.onDidChange(refresh);
  const timer = setInterval(refresh, refreshMs);
  return new Promise(resolve => {
    box.onDidTriggerItemButton(({ item }) => item.run?.cancel());
    box.onDidAccept(() => {
      resolve(box.selectedItems[0]);
      box.hide();
    });
    box.onDidHide(() => {
      isOpen = false;
      subscription.dispose();
      clearInterval(timer);
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function createMenuItems(facts: BudgetFacts | undefined, runs: readonly ActiveRun[], now: number): MenuItem[] {
  const last = facts?.last && {
    id: 'last',
    label: t('Last request'),
    iconPath: new vscode.ThemeIcon('history'),
    detail: describeLastRequest(facts.last, displayZone()),
  };
  return [
    ...(facts?.budgets ?? []).map(scopeBudget => ({
      id: scopeBudget.dataset.id,
      label: describeBudgetWithCountdown(scopeBudget),
      iconPath: new vscode.ThemeIcon('pulse'),
    })),
    ...(last ? [last] : []),
    ...(runs.length > 0 ? [createSeparator('runs')] : []),
    ...runs.map(run => runItem(run, now)),
    createSeparator('commands'),
    createCommandItem('output', t('Show Log'), commands.showLog),
    createCommandItem('plug', t('Switch Connection…'), commands.switchConnection),
    createCommandItem('settings', t('Set Limits…'), commands.setLimits),
    {
      ...createCommandItem('folder', t('Open Archive Folder'), commands.openArchiveFolder),
      ...(facts && { description: formatSize(facts.archiveBytes) }),
    },
  ];
}

function runItem(run: ActiveRun, now: number): MenuItem {
  const title = formatQueryTitle(run.query);
  const isWaiting = run.awaitsConfirmation || waitsForBudget(run, now);
  return {
    id: `run ${run.id}`,
    label: title,
    iconPath: new vscode.ThemeIcon(isWaiting ? 'watch' : 'sync'),
    description: run.connection.name,
    detail: describeRun(run, now),
    // The tooltip is also the button's name for a screen reader.
    buttons: [{ iconPath: new vscode.ThemeIcon('close'), tooltip: t('Cancel {0}', title) }],
    run,
  };
}

function createCommandItem(icon: string, label: string, command: string): MenuItem {
  return { id: command, label, iconPath: new vscode.ThemeIcon(icon), command };
}

function createSeparator(id: string): MenuItem {
  return { id, label: '', kind: vscode.QuickPickItemKind.Separator };
}

/** Registers Set Limits…, for keys whose limits differ from the documented ones. */
export function registerLimitCommands(boundary: ErrorBoundary, connections: Connections): vscode.Disposable {
  return boundary.register(commands.setLimits, async argument => setLimits(connections, argument));
}

async function setLimits(connections: Connections, argument: unknown): Promise<void> {
  const connection = await resolveConnection(connections, argument, t('Select a connection to set its limits'));
  const items = datasets.map(({ title: label, scope, limit }) => {
    const current = connection.limits?.[scope] ?? limit;
    const detail = t('{0} requests per {1} s', current.requests, current.seconds);
    return { label, description: scope, detail, scope, limit, current };
  });
  const position = { title: t('Limits of {0}', connection.name), step: 1, total: 1, first: true };
  const selected = await pick(position, { placeholder: t('Select a limit'), items: () => items });
  if (selected.kind !== 'next') return;
  const { scope, limit, current } = selected.value;
  const typed = await input(position, {
    prompt: t('Requests/seconds granted by your provider. Documented: {0}. Leave empty to use it.', formatLimit(limit)),
    value: formatLimit(current),
    validate: text =>
      text.trim() === '' || parseLimit(text) ? undefined : t('Enter requests/seconds, such as 10/60.'),
  });
  if (typed.kind !== 'next') return;
  const others = Object.fromEntries(Object.entries(connection.limits ?? {}).filter(([name]) => name !== scope));
  const parsed = parseLimit(typed.value);
  await connections.setLimits(connection.id, parsed ? { ...others, [scope]: parsed } : others);
}

function parseLimit(text: string): Limit | undefined {
  const match = /^\s*(\d{1,5})\s*\/\s*(\d{1,5})\s*s?\s*$/.exec(text);
  const limit = { requests: Number(match?.[1]), seconds: Number(match?.[2]) };
  return match && limit.requests > 0 && limit.seconds > 0 ? limit : undefined;
}

function formatLimit({ requests, seconds }: Limit): string {
  return `${requests}/${seconds}`;
}
