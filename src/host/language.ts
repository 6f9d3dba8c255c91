import { config } from '@vscode/l10n';

/** English texts and their translations, under the keys that `t` looks up. */
export type Translations = Readonly<Record<string, string>>;

/** The language of this process. It is module state, because `@vscode/l10n` also keeps its texts in module state. */
let currentLanguage: { readonly locale: string; readonly texts?: Translations | undefined } = { locale: 'en' };

/** Returns the locale of texts, numbers and dates, such as "en" or "pt-br". */
export function displayLocale(): string {
  return currentLanguage.locale;
}

/** Returns the translations of the display locale for a webview. Returns undefined for English. */
export function translations(): Translations | undefined {
  return currentLanguage.texts;
}

/** Sets the language of all texts, numbers and dates, except those in package.json, which VS Code shows in its own language. */
export function setLanguage(locale: string, texts?: Translations): void {
  currentLanguage = { locale, texts };
  config({ contents: { ...texts } });
}

/** Returns the texts of a bundle. Its values are strings, or objects that also have comments for translators. */
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
