import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileTable } from '../../core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { showQuickPick } from '../messages/messages.ts';
import { runStep, input } from '../messages/prompts.ts';
import { pickZone } from '../query/pickZone.ts';
import { getQueryZone } from '../settings.ts';
import { encodingName, listEncodings } from './fileEncoding.ts';
import { maxImportLine } from '../../core/dataFile/importOptionsSchema.ts';
import { hasChosenOptions } from './importOptionsStore.ts';

type ImportOption = keyof ImportOptions;
type ImportValue = string | number | undefined;

/** A file whose options are chosen. */
export interface ImportedFile {
  readonly name: string;
  /** The table that was read; undefined if reading failed. */
  readonly table: Omit<FileTable, 'frame'> | undefined;
  /** The options that the user chose. */
  readonly options: ImportOptions;
}

/** Lists the options that apply to a file or were chosen for it. */
export function listOptions({ name, table, options }: ImportedFile): ImportOption[] {
  const { zone, provenance, importedAs } = table ?? {};
  const isText = table ? importedAs?.separator !== undefined : /\.[ct]sv$/i.test(name);
  const hasLines = isText || importedAs?.sheets !== undefined;
  const isApplicable: Readonly<Record<ImportOption, boolean>> = {
    timeZone: zone?.source === 'user',
    // Files of the portal and exports of this extension specify it.
    hour: importedAs?.hour !== undefined && zone?.source !== 'portal' && !provenance,
    sheet: (importedAs?.sheets ?? []).length > 1,
    separator: isText,
    headingLine: hasLines,
    firstLine: hasLines,
    decimal: isText,
    dateOrder: isText || importedAs?.dateOrder !== undefined,
    encoding: isText,
  };
  const names = Object.keys(isApplicable) as ImportOption[];
  return names.filter(option => isApplicable[option] || options[option] !== undefined);
}

/** Formats the chosen options, one per line. */
export function formatChosenOptions(options: ImportOptions): string {
  const selected = (Object.keys(options) as ImportOption[]).filter(option => options[option] !== undefined);
  return selected.map(option => formatOption(option, options[option])).join('\n');
}

/**
 * Shows the options with their current values until the user closes the list. `apply` reads the file again with the chosen
 * options; `file` returns the file as it is displayed now.
 */
export async function chooseImportOptions(
  file: () => ImportedFile,
  apply: (options: ImportOptions) => Promise<void>,
): Promise<void> {
  for (;;) {
    const current = file();
    const { options } = current;
    const items: (vscode.QuickPickItem & { readonly option?: ImportOption })[] = [
      ...listOptions(current).map(option => createOptionItem(option, current)),
      ...(hasChosenOptions(options)
        ? [{ label: t('Reset to Detected Options'), iconPath: new vscode.ThemeIcon('discard') }]
        : []),
    ];
    const picked = await showQuickPick(items, { title: formatTitle(current), placeHolder: t('Select an option') });
    if (!picked) return;
    const { option } = picked;
    const selected = option === undefined ? {} : await promptOption(option, current);
    if (selected) await apply(option === undefined ? {} : { ...options, ...selected });
  }
}

function formatTitle({ name }: ImportedFile): string {
  return t('Import Options · {0}', name);
}

function createOptionItem(option: ImportOption, file: ImportedFile) {
  const selected = file.options[option];
  const used = getUsedValue(option, file);
  const description =
    selected === undefined
      ? undefined
      : selected === used
        ? t('chosen')
        : t('{0} was chosen', formatValue(option, selected));
  return { option, label: formatOption(option, used), ...(description !== undefined && { description }) };
}

/** Returns the value that the file was read with. */
function getUsedValue(option: ImportOption, { table, options }: ImportedFile): ImportValue {
  const { zone, importedAs } = table ?? {};
  const used = option === 'timeZone' ? zone?.timeZone : importedAs?.[option];
  return used ?? options[option] ?? (option === 'hour' ? 'beginning' : undefined);
}

function formatOption(option: ImportOption, value: ImportValue): string {
  return t('{0}: {1}', describeOption(option).name, formatValue(option, value));
}

function describeOption(option: ImportOption): { readonly name: string; readonly placeHolder: string } {
  switch (option) {
    case 'timeZone':
      return {
        name: t('Time Zone of Times Without Offset'),
        placeHolder: t('Select the time zone of times without an offset'),
      };
    case 'hour':
      return { name: t('Row Times'), placeHolder: t('Select what row times mark') };
    case 'sheet':
      return { name: t('Sheet'), placeHolder: t('Select a sheet') };
    case 'separator':
      return { name: t('Separator'), placeHolder: t('Select a separator') };
    case 'headingLine':
      return {
        name: t('Heading'),
        placeHolder: t('Enter the line with the column names, 0 if there is none, or leave empty to detect it'),
      };
    case 'firstLine':
      return {
        name: t('First Line of Data'),
        placeHolder: t('Enter the first line with values, or leave empty to detect it'),
      };
    case 'decimal':
      return { name: t('Decimal Mark'), placeHolder: t('Select a decimal mark') };
    case 'dateOrder':
      return { name: t('Dates'), placeHolder: t('Select the order of day and month') };
    case 'encoding':
      return { name: t('Encoding'), placeHolder: t('Select an encoding') };
  }
}

function formatValue(option: ImportOption, value: ImportValue): string {
  if (value === undefined) return t('Automatic');
  if (typeof value === 'number')
    return option === 'firstLine' ? String(value) : value === 0 ? t('None') : t('Line {0}', value);
  if (option === 'timeZone') return formatShortZone(getQueryZone({ timeZone: value }));
  if (option === 'encoding') return encodingName(value);
  return listValues(option, undefined).find(offered => offered.value === value)?.label ?? value;
}

interface OptionValue {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

function listValues(option: ImportOption, table: ImportedFile['table']): readonly OptionValue[] {
  switch (option) {
    case 'hour':
      return [
        { value: 'beginning', label: t('Beginning of the Hour'), description: t('12:00 is 12:00 to 13:00') },
        { value: 'end', label: t('End of the Hour'), description: t('12:00 is 11:00 to 12:00') },
      ];
    case 'sheet':
      return (table?.importedAs?.sheets ?? []).map(value => ({ value, label: value }));
    case 'separator':
      return [
        { value: ',', label: t('Comma'), description: ',' },
        { value: ';', label: t('Semicolon'), description: ';' },
        { value: '\t', label: t('Tab') },
        { value: '|', label: t('Bar'), description: '|' },
      ];
    case 'decimal':
      return [
        { value: 'point', label: t('Point'), description: '1234.5' },
        { value: 'comma', label: t('Comma'), description: '1234,5' },
      ];
    case 'dateOrder':
      return [
        { value: 'day first', label: t('Day First'), description: '31/12/2026' },
        { value: 'month first', label: t('Month First'), description: '12/31/2026' },
      ];
    case 'encoding':
      return listEncodings();
    default:
      return [];
  }
}

/** Prompts for the value of an option; undefined if the user cancels. An option set to undefined is detected automatically. */
async function promptOption(option: ImportOption, file: ImportedFile): Promise<ImportOptions | undefined> {
  const { placeHolder } = describeOption(option);
  const title = formatTitle(file);
  const used = getUsedValue(option, file);
  if (option === 'timeZone') {
    const zone = await pickZone(title, used === undefined ? undefined : String(used), placeHolder);
    return zone && { timeZone: zone.timeZone };
  }
  if (option === 'headingLine' || option === 'firstLine') {
    const min = option === 'headingLine' ? 0 : 1;
    const typed = await runStep(title, async position =>
      input(position, { prompt: placeHolder, value: String(used ?? ''), validate: text => validateLine(text, min) }),
    );
    return typed === undefined ? undefined : { [option]: typed.trim() === '' ? undefined : Number(typed) };
  }
  const checkIcon = (isChecked: boolean) => ({ iconPath: new vscode.ThemeIcon(isChecked ? 'check' : 'blank') });
  const items = [
    ...listValues(option, file.table).map(offered => ({ ...offered, ...checkIcon(offered.value === used) })),
    ...(file.options[option] === undefined
      ? []
      : [{ value: undefined, label: t('Automatic'), description: t('As detected in the file'), ...checkIcon(false) }]),
  ];
  const picked = await showQuickPick(items, { title, placeHolder });
  return picked && { [option]: picked.value };
}

function validateLine(typed: string, min: number): string | undefined {
  const text = typed.trim();
  const line = text === '' ? min : /^\d+$/.test(text) ? Number(text) : NaN;
  return line >= min && line <= maxImportLine
    ? undefined
    : t('Enter a whole number from {0} to {1}, or leave empty.', min, maxImportLine);
}
