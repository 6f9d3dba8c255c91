import { config } from '@vscode/l10n';

/** English texts and their translations, under the keys that `t` looks up. */
export type Translations = Readonly<Record<string, string>>;

/** The language of this process. It is module state because `@vscode/l10n` is, too. */
let current: { readonly locale: string; readonly texts?: Translations | undefined } = { locale: 'en' };

/** Returns the locale of texts, numbers and dates, such as "en" or "pt-br". */
export function displayLocale(): string {
  return current.locale;
}

/** Returns the translations of that locale, for a webview; undefined for English. */
export function translations(): Translations | undefined {
  return current.texts;
}

/** Sets the language of all texts, numbers and dates, except those in package.json, which VS Code shows in its own language. */
export function setLanguage(locale: string, texts?: Translations): void {
  current = { locale, texts };
  config({ contents: { ...texts } });
}

/** Returns the texts of a bundle, whose values are strings or objects with comments for translators. */
export function toTranslations(
  bundle: Readonly<Record<string, string | { readonly message: string }>> | undefined,
): Translations | undefined {
  return (
    bundle &&
    Object.fromEntries(
      Object.entries(bundle).map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
    )
  );
}
