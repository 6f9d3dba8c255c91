import * as vscode from 'vscode';
import { csvDialects, exportProvenances, type CsvDialect, type ExportOptions } from '../../shared/exportOptions.ts';
import { usableLocale } from '../../shared/formatNumber.ts';
import { settings } from '../ids.ts';

/** What the settings say of every export. */
export interface ExportSettings extends Pick<ExportOptions, 'dialect' | 'heading' | 'provenance'> {
  /** Times in UTC, whatever zone is shown. */
  readonly isUtc: boolean;
  /** A column with the end of each interval, also where none is on screen. */
  readonly withEnds: boolean;
}

export function exportSettings(): ExportSettings {
  const value = (name: string): unknown => vscode.workspace.getConfiguration().get(name);
  const oneOf = <T>(names: readonly T[], name: string): T | undefined => names.find(one => one === value(name));
  return {
    dialect: oneOf(csvDialects, settings.csvDialect) ?? localDialect(vscode.env.language),
    heading: value(settings.exportUnits) === true ? 'units' : 'names',
    provenance: oneOf(exportProvenances, settings.exportProvenance) ?? 'none',
    isUtc: value(settings.exportTimes) === 'utc',
    withEnds: value(settings.exportIntervalEnd) === true,
  };
}

/** Where the language writes a decimal comma, a comma cannot separate the columns as well. */
function localDialect(language: string): CsvDialect {
  const parts = new Intl.NumberFormat(usableLocale(language)).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? 'semicolon' : 'standard';
}
