/** The locale as Intl takes it; "en" where VS Code's language is no tag that Intl knows. */
export function usableLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
