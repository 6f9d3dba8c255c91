import type { CsvDialect } from '../../shared/exportOptions.ts';

/** The dialect for numbers as a locale writes them: a comma cannot separate both columns and decimals. */
export function dialectFor(locale: string): CsvDialect {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? 'semicolon' : 'standard';
}

/**
 * The locale whose numbers a spreadsheet on this machine expects: that of the texts or, where they are English, the operating
 * system's, since English is written with a decimal comma in South Africa and with a point elsewhere. `env`: POSIX's variables for
 * numbers, and VS Code's, which holds the first language of the system's settings as `osLocale`.
 */
export function spreadsheetLocale(displayLocale: string, env: Readonly<Record<string, string | undefined>>): string {
  if (!/^en\b/.test(displayLocale)) return displayLocale;
  const { LC_ALL, LC_NUMERIC, LANG, VSCODE_NLS_CONFIG } = env;
  const known = [LC_ALL || LC_NUMERIC, osLocale(VSCODE_NLS_CONFIG), LANG].map(canonical);
  return known.find(locale => locale !== undefined && locale !== 'en') ?? displayLocale;
}

function osLocale(config = '{}'): string | undefined {
  try {
    const { osLocale: locale } = JSON.parse(config) as { osLocale?: unknown };
    return typeof locale === 'string' ? locale : undefined;
  } catch {
    return undefined;
  }
}

/** "en-ZA" for en_ZA.UTF-8; undefined for C, and for what Intl does not know. */
function canonical(name = ''): string | undefined {
  const [plain = ''] = name.split(/[.@]/);
  try {
    return Intl.NumberFormat.supportedLocalesOf(plain.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
