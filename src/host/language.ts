import { readFileSync } from 'node:fs';
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toIntlLocale } from '../shared/formatNumber.ts';
import { settings } from './ids.ts';

/** English texts and their translations, under the keys that `t` looks up. */
type Translations = Readonly<Record<string, string>>;

/** The languages that the setting offers. English needs no translations. */
const languages = ['en', 'af'] as const;

/** The language of this window. It is module state, because `@vscode/l10n` also keeps its texts in module state. */
let currentLanguage: { readonly locale: string; readonly texts?: Translations | undefined } = { locale: 'en' };

/** Returns the locale of texts, numbers and dates, such as "en" or "pt-br". */
export function displayLocale(): string {
  return currentLanguage.locale;
}

/** Returns the translations of the display locale for a webview. Returns undefined for English. */
export function translations(): Translations | undefined {
  return currentLanguage.texts;
}

/**
 * Uses the language of the setting, or the display language of VS Code. Texts in package.json are always in the display language. When the
 * setting changes, `offerReload` is called, because views and panels keep their texts until the window is reloaded.
 */
export function useLanguage(extensionUri: vscode.Uri, offerReload: () => void): vscode.Disposable {
  const selected = languages.find(language => language === vscode.workspace.getConfiguration().get(settings.language));
  if (!selected)
    currentLanguage = { locale: toIntlLocale(vscode.env.language), texts: toTranslations(vscode.l10n.bundle) };
  else if (selected === 'en') currentLanguage = { locale: selected };
  else
    currentLanguage = {
      locale: selected,
      texts: readTranslations(vscode.Uri.joinPath(extensionUri, 'l10n', `bundle.l10n.${selected}.json`)),
    };
  config({ contents: { ...currentLanguage.texts } });
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(settings.language)) offerReload();
  });
}

function readTranslations(file: vscode.Uri): Translations | undefined {
  return toTranslations(JSON.parse(readFileSync(file.fsPath, 'utf8')) as Parameters<typeof toTranslations>[0]);
}

/** Returns the texts of a bundle. Its values are strings, or objects that also have comments for translators. */
function toTranslations(
  bundle: Readonly<Record<string, string | { readonly message: string }>> | undefined,
): Translations | undefined {
  return (
    bundle &&
    Object.fromEntries(
      Object.entries(bundle).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
    )
  );
}
