import { t } from '@vscode/l10n';
import { fieldInWords as inWords, type Say } from '../../core/bins/binSums.ts';
import { datasetById, type QueriedDataset } from '../../core/query/catalogue.ts';
import type { FieldInfo, Frame } from '../../shared/frame.ts';
import type { Coverage } from '../../shared/result.ts';

// The catalogue's own texts are English: here they become the person's language, looked up by the English text.

/** What a dataset is called; an unknown one by its id. */
export function datasetTitle(id: string): string {
  const dataset = datasetById(id);
  return dataset ? t(dataset.title) : id;
}

/** What is said of one of joined datasets: “Grid stress: …”; as it is where the query is for one alone. */
export function aboutDataset(id: string | undefined, sentence: string): string {
  return id === undefined ? sentence : t('{0}: {1}', datasetTitle(id), sentence);
}

/** What a parameter of a dataset does. */
export function paramMeaning({ meaning }: QueriedDataset['params'][number]): string {
  return t(meaning);
}

/** What a field of a dataset is called, in Sample Data (`isSample`) or elsewhere; an unknown one by its name. */
export function fieldLabel(dataset: string, name: string, isSample = false): string {
  const known = datasetById(dataset);
  const field = (isSample ? known?.sandboxFields : undefined)?.get(name) ?? known?.fields.get(name);
  return field ? t(field.label) : name;
}

/** The same rows with labels and meanings for the person. Those that are no text of the catalogue stay as they are. */
export function describeFrame(frame: Frame): Frame {
  const columns = frame.columns.map(column => {
    return column.field ? { ...column, field: describeField(column.field) } : column;
  });
  return { rowCount: frame.rowCount, columns };
}

/** The same coverage with the titles of joined datasets for the person. */
export function describeCoverage(coverage: Coverage): Coverage {
  const { parts } = coverage;
  return parts ? { ...coverage, parts: parts.map(part => ({ ...part, title: t(part.title) })) } : coverage;
}

/** Translates a text of the floors below, whose texts are data. */
export const translated: Say = (text, ...parts) => (text === '' ? '' : t(text, ...parts));

/** A known field's label and meaning for the person. */
export function describeField(field: FieldInfo): FieldInfo {
  return inWords(field, translated);
}
