import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { datasets, type Limit } from '../../core/query/catalogue.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { input, pick } from '../prompts.ts';
import { chosenConnection } from '../connections/pickConnection.ts';

/** Set Limits…: for keys to which the provider granted more than the documented requests. */
export function registerLimitCommands(boundary: ErrorBoundary, connections: Connections): vscode.Disposable {
  return boundary.register(commands.setLimits, async argument => setLimits(connections, argument));
}

async function setLimits(connections: Connections, argument: unknown): Promise<void> {
  const connection = await chosenConnection(connections, argument, t('Select a connection to set its limits'));
  const items = datasets.map(({ title: label, scope, limit }) => {
    const current = connection.limits?.[scope] ?? limit;
    const detail = t('{0} requests per {1} s', current.requests, current.seconds);
    return { label, description: scope, detail, scope, limit, current };
  });
  const place = { title: t('Limits of {0}', connection.name), step: 1, total: 1, first: true };
  const chosen = await pick(place, { placeholder: t('Select a limit'), items: () => items });
  if (chosen.kind !== 'next') return;
  const { scope, limit, current } = chosen.value;
  const typed = await input(place, {
    prompt: t('Requests/seconds granted by your provider. Documented: {0}. Leave empty to use it.', compact(limit)),
    value: compact(current),
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

function compact({ requests, seconds }: Limit): string {
  return `${requests}/${seconds}`;
}
