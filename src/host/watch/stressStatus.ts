import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { hourMs, minuteMs } from '../../shared/durations.ts';
import type { QueryArgument } from '../query/queryArgument.ts';
import { commands, contextKeys } from '../ids.ts';
import { showStatusBarText, createMarkdown } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import { displayZone } from '../settings.ts';
import { type Pinned, pinnedQuery, type Watching } from './watching.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { bandName } from '../messages/alertMessages.ts';
import { translateFieldInfo } from '../messages/catalogue.ts';
import { connectionLabel } from '../connections/connectionMessages.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatMeasured } from '../messages/numbers.ts';
import { formatZonedInstant, formatSpan } from '../messages/times.ts';

/** The item is updated regularly, since the value becomes outdated without any event. */
const updateMs = minuteMs;

/** Shows the latest stress in the status bar while it is pinned. */
export class StressStatus {
  readonly #watching: Pick<Watching, 'pinned' | 'onDidChangePinned'>;
  readonly #nowAt: ConnectionEndpoints['nowAt'];
  readonly #item = vscode.window.createStatusBarItem('gridData.stress', vscode.StatusBarAlignment.Right, 101);
  readonly #subscription: { dispose(): void };
  #timer: NodeJS.Timeout | undefined;

  constructor(watching: Pick<Watching, 'pinned' | 'onDidChangePinned'>, nowAt: ConnectionEndpoints['nowAt']) {
    this.#watching = watching;
    this.#nowAt = nowAt;
    this.#item.name = t('Grid Data latest stress');
    this.#subscription = watching.onDidChangePinned(() => this.#show());
    this.#show();
  }

  dispose(): void {
    this.#subscription.dispose();
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  #show(): void {
    const { pinned } = this.#watching;
    clearTimeout(this.#timer);
    void setContext(contextKeys.stressPinned, pinned !== undefined);
    if (!pinned) {
      this.#item.hide();
      return;
    }
    const zone = displayZone();
    const lines = formatStressLines(pinned, zone);
    const query: QueryArgument = { ...pinnedQuery, connection: pinned.connection.name };
    this.#item.command = { title: t('Open'), command: commands.runQuery, arguments: [query] };
    showStatusBarText(this.#item, {
      icon: pinned.error && !pinned.latest ? 'warning' : 'dashboard',
      text: formatStress(pinned, this.#nowAt(pinned.connection), zone),
      tooltip: createMarkdown(lines, { link: { label: t('Unpin'), command: commands.unpinStress } }),
      spoken: lines.join('. '),
      color: getStressColor(pinned),
    });
    this.#timer = setTimeout(() => this.#show(), updateMs);
  }
}

/** Formats the stress: `Stress 0.72 high` or `Local stress 0.72 high`, with its time if it is outdated, or a dash before the first response. */
export function formatStress({ latest }: Pinned, now: number, zone: DisplayZone): string {
  if (!latest) return t('Stress –');
  const text = `${translateFieldInfo(latest.field).label} ${formatMeasured(latest.value, undefined)} ${bandName(latest.band)}`;
  // An hour is published soon after it ends, so a newer one should be available.
  const isOld = now >= latest.end + 2 * hourMs;
  return [text, ...(isOld ? [formatZonedInstant(latest.hour, zone)] : [])].join(' · ');
}

/** Returns the lines of the tooltip: value, band, hour with its zone, connection, and the error of the last run, if any. */
export function formatStressLines({ connection, latest, error }: Pinned, zone: DisplayZone): string[] {
  const value = latest
    ? `${translateFieldInfo(latest.field).label} ${formatMeasured(latest.value, undefined)}, ${bandName(latest.band)}`
    : t('No stress index value yet');
  return [
    value,
    ...(latest ? [t('Hour: {0}', formatSpan({ start: latest.hour, end: latest.end }, zone))] : []),
    t('Connection: {0}', connectionLabel(connection)),
    ...(error ? [describeFailure(error)?.sentence ?? error.reason] : []),
  ];
}

/** Returns the theme's warning or error color if load-shedding is possible or likely; otherwise undefined. */
function getStressColor({ latest }: Pinned): vscode.ThemeColor | undefined {
  if (latest?.band === 'critical') return new vscode.ThemeColor('statusBarItem.errorBackground');
  return latest?.band === 'high' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
}
