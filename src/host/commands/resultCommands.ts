import * as vscode from 'vscode';
import { formatJson } from '../../core/formatJson.ts';
import type { Result } from '../../shared/result.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands, contextKeys } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { setContext } from '../setContext.ts';

const formats = ['csv', 'json'] as const;
type Format = (typeof formats)[number];

export interface ResultCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly sessions: QuerySessions;
}

/** Open Result in Editor: the rows as CSV or JSON in an untitled tab. */
export function registerResultCommands(deps: ResultCommandsDeps): vscode.Disposable {
  return deps.boundary.register(commands.openResultInEditor, async argument => {
    const result = deps.sessions.active?.result;
    if (!result) throw new InputError(vscode.l10n.t('No result is open; run a query first.'));
    await openInEditor(result, isFormat(argument) ? argument : undefined);
  });
}

/** Asks for the format where none is given; JSON that is no table is opened as it came. */
export async function openInEditor(result: Result, given?: Format): Promise<void> {
  const format = given ?? (result.frame ? await pickFormat() : 'json');
  if (!format) return;
  const content = await contentOf(result, format);
  const document = await vscode.workspace.openTextDocument({ content, language: format === 'csv' ? 'csv' : 'json' });
  await vscode.window.showTextDocument(document, { preview: false });
  void setContext(contextKeys.hasKept, true);
}

async function contentOf(result: Result, format: Format): Promise<string> {
  const { frame, json } = result;
  if (!frame) return formatJson(json);
  // The exporters are a part of their own, read when first used.
  const { toCsv, toJsonRecords } = await import('../../core/textExport.ts');
  return format === 'csv' ? toCsv(frame) : toJsonRecords(frame);
}

async function pickFormat(): Promise<Format | undefined> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { format: Format })[] = [
    {
      label: 'CSV',
      description: t('field names first, times in UTC as received, empty where there is no value'),
      format: 'csv',
    },
    { label: 'JSON', description: t('an array of the records as received'), format: 'json' },
  ];
  return (await vscode.window.showQuickPick(items, { placeHolder: t('Open the result as') }))?.format;
}

function isFormat(value: unknown): value is Format {
  return formats.some(format => format === value);
}
