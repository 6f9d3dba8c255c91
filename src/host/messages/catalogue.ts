import { t } from '@vscode/l10n';
import { translateField, type Translate } from '../../core/bins/binSums.ts';
import { findDataset, type QueriedDataset } from '../../core/query/catalogue.ts';
import type { FieldInfo, Frame } from '../../shared/frame.ts';
import type { Coverage } from '../../shared/result.ts';

// The texts of the catalogue are English. These functions translate them, with the English text as the key.

/** Returns the title of a dataset, or its id if it is unknown. */
export function datasetTitle(id: string): string {
  const dataset = findDataset(id);
  return dataset ? t(dataset.title) : id;
}

/** Prefixes a sentence with the title of a joined dataset: “Grid stress: …”. Without an id, returns the sentence unchanged. */
export function prefixDatasetTitle(id: string | undefined, sentence: string): string {
  return id === undefined ? sentence : t('{0}: {1}', datasetTitle(id), sentence);
}

/** Returns the translated meaning of a parameter of a dataset. */
export function translateParamMeaning({ meaning }: QueriedDataset['params'][number]): string {
  return t(meaning);
}

/** Returns the label of a field, or its name if it is unknown. With `isSample`, the label is the one of Sample Data, if that differs. */
export function fieldLabel(dataset: string, name: string, isSample = false): string {
  const knownDataset = findDataset(dataset);
  const field = (isSample ? knownDataset?.sandboxFields : undefined)?.get(name) ?? knownDataset?.fields.get(name);
  return field ? t(field.label) : name;
}

/** Translates the labels and meanings of a frame's fields. Leaves texts that are not in the catalogue unchanged. */
export function localizeFrame(frame: Frame): Frame {
  const columns = frame.columns.map(column => {
    return column.field ? { ...column, field: translateFieldInfo(column.field) } : column;
  });
  return { rowCount: frame.rowCount, columns };
}

/** Translates the titles of joined datasets in a coverage. */
export function localizeCoverage(coverage: Coverage): Coverage {
  const { parts } = coverage;
  return parts ? { ...coverage, parts: parts.map(part => ({ ...part, title: t(part.title) })) } : coverage;
}

/** Translates a text of `core` or `presentation`. These layers must not import l10n. */
export const translateCatalogueText: Translate = (text, ...parts) => (text === '' ? '' : t(text, ...parts));

/** Translates the label and meaning of a field. */
export function translateFieldInfo(field: FieldInfo): FieldInfo {
  return translateField(field, translateCatalogueText);
}
