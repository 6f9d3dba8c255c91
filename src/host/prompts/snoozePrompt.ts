import * as vscode from 'vscode';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages.ts';
import { momentText } from '../words/times.ts';

const hourMs = 3_600_000;

/** Asks for how long; UTC milliseconds at which it ends, undefined when the person left. `about`: what is snoozed. */
export async function promptSnooze(about: string, now: number, zone: DisplayZone): Promise<number | undefined> {
  const { t } = vscode.l10n;
  const items = [
    { label: t('1 hour'), ms: hourMs },
    { label: t('4 hours'), ms: 4 * hourMs },
    { label: t('12 hours'), ms: 12 * hourMs },
    { label: t('1 day'), ms: 24 * hourMs },
    { label: t('1 week'), ms: 7 * 24 * hourMs },
  ].map(({ label, ms }) => ({ label, until: now + ms, description: t('until {0}', momentText(now + ms, zone)) }));
  const placeHolder = t('Say nothing of hours that end within');
  const chosen = await showQuickPick(items, {
    title: t('Snooze {0}', about),
    placeHolder,
  });
  return chosen?.until;
}
