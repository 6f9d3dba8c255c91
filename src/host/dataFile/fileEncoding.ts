import { t } from '@vscode/l10n';

/** The name of an encoding in the Encoding Standard by one of its labels; undefined where TextDecoder does not know it. */
export function standardEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The encodings to choose from. */
export function offeredEncodings(): { readonly value: string; readonly label: string; readonly description: string }[] {
  const regions: Readonly<Record<string, string>> = {
    'utf-8': 'Unicode',
    'utf-16le': 'Unicode',
    'utf-16be': 'Unicode',
    'windows-1252': t('Western European'),
    macintosh: t('Western European'),
    'windows-1250': t('Central European'),
    'windows-1251': t('Cyrillic'),
    'windows-1253': t('Greek'),
    'windows-1254': t('Turkish'),
    gb18030: t('Chinese'),
    big5: t('Chinese'),
    shift_jis: t('Japanese'),
    'euc-kr': t('Korean'),
  };
  return Object.entries(regions).map(([value, description]) => ({ value, label: encodingName(value), description }));
}

/** The name of an encoding as people write it, such as "UTF-8" and "Windows-1252". */
export function encodingName(encoding: string): string {
  return encoding.startsWith('windows') ? encoding.replace('w', 'W') : encoding.toUpperCase();
}
