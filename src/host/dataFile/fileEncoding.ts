import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

/** VS Code's ids that follow no rule. */
const unlikeIds: ReadonlyMap<string, string> = new Map([
  ['macroman', 'macintosh'],
  ['cp950', 'big5'],
]);

/** The name of an encoding in the Encoding Standard by one of its labels; undefined where TextDecoder does not know it. */
export function standardEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The encoding that the setting `files.encoding` names for a file; undefined for UTF-8, and for one that TextDecoder does not know. */
export function configuredEncoding(uri: vscode.Uri): string | undefined {
  const id = vscode.workspace.getConfiguration('files', uri).get<unknown>('encoding');
  if (typeof id !== 'string') return undefined;
  // VS Code writes "windows1252" and "iso88592" where the standard has "windows-1252" and "iso-8859-2".
  const dashed = id.replace(/^iso8859/, 'iso-8859').replace(/^(windows|utf|iso-8859|koi8|euc|big5|shift)(?=\w)/, '$1-');
  const encoding = standardEncoding(unlikeIds.get(id) ?? dashed);
  return encoding === 'utf-8' ? undefined : encoding;
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
