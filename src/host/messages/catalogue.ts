import { t } from '@vscode/l10n';
import { translateField as inWords, type Translate } from '../../core/bins/binSums.ts';
import { findDataset, type QueriedDataset } from '../../core/query/catalogue.ts';
import type { FieldInfo, Frame } from '../../shared/frame.ts';
import type { Coverage } from '../../shared/result.ts';

// The texts of the catalogue are English. They are translated here, with the English text as the key.

/** Returns the title of a dataset, or its id if it is unknown. */
export function datasetTitle(id: string): string {
  const dataset = findDataset(id);
  return dataset ? t(dataset.title) : id;
}

/** Prefixes a sentence with the title of the joined dataset that it is about: “Grid stress: …”. Without an id, it stays as it is. */
export function prefixDatasetTitle(id: string | undefined, sentence: string): string {
  return id === undefined ? sentence : t('{0}: {1}', datasetTitle(id), sentence);
}

/** Describes a parameter of a dataset. */
export function describeParam({ meaning }: QueriedDataset['params'][number]): string {
  return t(meaning);
}

/** Returns the label of a field, or its name if it is unknown. Sample Data (`isSample`) has labels of its own. */
export function fieldLabel(dataset: string, name: string, isSample = false): string {
  const knownDataset = findDataset(dataset);
  const field = (isSample ? knownDataset?.sandboxFields : undefined)?.get(name) ?? knownDataset?.fields.get(name);
  return field ? t(field.label) : name;
}

/** Translates the labels and meanings of a frame's fields. Texts that are not in the catalogue stay as they are. */
export function describeFrame(frame: Frame): Frame {
  const columns = frame.columns.map(column => {
    return column.field ? { ...column, field: describeField(column.field) } : column;
  });
  return { rowCount: frame.rowCount, columns };
}

/** Translates the titles of joined datasets in a coverage. */
export function describeCoverage(coverage: Coverage): Coverage {
  const { parts } = coverage;
  return parts ? { ...coverage, parts: parts.map(part => ({ ...part, title: t(part.title) })) } : coverage;
}

/** Translates a text of `core` or `presentation`, which do not depend on l10n themselves. */
export const translateCatalogueText: Translate = (text, ...parts) => (text === '' ? '' : t(text, ...parts));

/** Translates the label and meaning of a field. */
export function describeField(field: FieldInfo): FieldInfo {
  return inWords(field, translateCatalogueText);
}
