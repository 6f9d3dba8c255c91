import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { toIntlLocale } from '../shared/formatNumber.ts';
import { settings } from './ids.ts';
import { setLanguage, toTranslations, type Translations } from './language.ts';
import { useSettings } from './settings.ts';

/** The languages that the setting offers. English needs no translations. */
const languages = ['en', 'af'] as const;

/** Reads all settings from VS Code. */
export function useVscodeSettings(): void {
  useSettings({
    get: name => vscode.workspace.getConfiguration().get<unknown>(name),
    getUserValue: name => vscode.workspace.getConfiguration().inspect<unknown>(name)?.globalValue,
  });
}

/**
 * Applies the language of the setting, or VS Code's, to all texts except those in package.json, which VS Code shows in its own language.
 * A later change needs a reload, since views and panels already hold texts; `offerReload` offers it.
 */
export function useLanguage(extensionUri: vscode.Uri, offerReload: () => void): vscode.Disposable {
  const selected = languages.find(language => language === vscode.workspace.getConfiguration().get(settings.language));
  if (!selected) setLanguage(toIntlLocale(vscode.env.language), toTranslations(vscode.l10n.bundle));
  else if (selected === 'en') setLanguage(selected);
  else
    setLanguage(selected, readTranslations(vscode.Uri.joinPath(extensionUri, 'l10n', `bundle.l10n.${selected}.json`)));
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(settings.language)) offerReload();
  });
}

function readTranslations(file: vscode.Uri): Translations | undefined {
  return toTranslations(JSON.parse(readFileSync(file.fsPath, 'utf8')) as Parameters<typeof toTranslations>[0]);
}
