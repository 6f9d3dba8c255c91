import * as vscode from 'vscode';
import { commands } from './ids.ts';
import { UnavailableError } from './inputError.ts';

/** A sentence on what is not there before a query has run, with the button that runs one. */
export function runQueryFirst(sentence: string): UnavailableError {
  return new UnavailableError(sentence, { title: vscode.l10n.t('Run Query…'), command: commands.runQuery });
}
