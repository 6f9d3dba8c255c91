import * as vscode from 'vscode';
import type { LatestStress } from '../../core/watch/latestStress.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { commands } from '../ids.ts';
import { createMarkdown } from '../messages.ts';
import type { Pinned } from '../watch/watching.ts';
import { bandName } from './alerts.ts';
import { fieldInWords } from './catalogue.ts';
import { connectionLabel } from './connection.ts';
import { failureWords } from './failures.ts';
import { measured } from './numbers.ts';
import { momentText, spanText } from './times.ts';

const hourMs = 3_600_000;

/** `Stress 0.72 high` or `Sample Data stress 0.72 high`; with its time once a newer hour should be there; a dash before the first answer. */
export function stressText({ latest }: Pinned, now: number, zone: DisplayZone): string {
  const { t } = vscode.l10n;
  if (!latest) return t('Stress –');
  const text = `${fieldInWords(latest.field).label} ${measured(latest.value, undefined)} ${bandName(latest.band)}`;
  return [text, ...(isOld(latest, now) ? [momentText(latest.hour, zone)] : [])].join(' · ');
}

/** Value, band, hour with its zone, and whose it is; why there is none, or no newer one. */
export function stressLines({ connection, latest, error }: Pinned, zone: DisplayZone): string[] {
  const { t } = vscode.l10n;
  const value = latest
    ? `${fieldInWords(latest.field).label} ${measured(latest.value, undefined)}, ${bandName(latest.band)}`
    : t('No value of the stress index yet');
  return [
    value,
    ...(latest ? [t('Hour: {0}', spanText({ start: latest.hour, end: latest.end }, zone))] : []),
    t('Connection: {0}', connectionLabel(connection)),
    ...(error ? [failureWords(error)?.sentence ?? error.reason] : []),
  ];
}

/** The lines, and the ways on. */
export function stressTooltip(lines: readonly string[]): vscode.MarkdownString {
  return createMarkdown(lines, { link: { label: vscode.l10n.t('Unpin'), command: commands.unpinStress } });
}

/** Colours of the theme, where load-shedding is possible or likely; undefined is the bar's own. */
export function stressColour({ latest }: Pinned): vscode.ThemeColor | undefined {
  if (latest?.band === 'critical') return new vscode.ThemeColor('statusBarItem.errorBackground');
  return latest?.band === 'high' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
}

/** A newer hour should be there: an hour is out soon after it is over. */
function isOld({ end }: LatestStress, now: number): boolean {
  return now >= end + 2 * hourMs;
}
