import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { standardEncoding } from '../../core/dataFile/importOptionsSchema.ts';

/** VS Code's encoding ids that do not follow the naming rule. */
const irregularIds: ReadonlyMap<string, string> = new Map([
  ['macroman', 'macintosh'],
  ['cp950', 'big5'],
]);

/** Returns the encoding in the setting `files.encoding`; undefined for UTF-8 and for unknown encodings. */
export function configuredEncoding(uri: vscode.Uri): string | undefined {
  const id = vscode.workspace.getConfiguration('files', uri).get<unknown>('encoding');
  if (typeof id !== 'string') return undefined;
  // VS Code writes "windows1252" and "iso88592" where the standard has "windows-1252" and "iso-8859-2".
  const dashed = id.replace(/^iso8859/, 'iso-8859').replace(/^(windows|utf|iso-8859|koi8|euc|big5|shift)(?=\w)/, '$1-');
  const encoding = standardEncoding(irregularIds.get(id) ?? dashed);
  return encoding === 'utf-8' ? undefined : encoding;
}

/** Lists the encodings to choose from. */
export function listEncodings(): { readonly value: string; readonly label: string; readonly description: string }[] {
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

/** Returns the usual spelling of an encoding, such as "UTF-8" and "Windows-1252". */
export function encodingName(encoding: string): string {
  return encoding.startsWith('windows') ? encoding.replace('w', 'W') : encoding.toUpperCase();
}
