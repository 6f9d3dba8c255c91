import { t } from '@vscode/l10n';
import { fieldInWords, type Say } from '../core/bins/binSums.ts';
import type { Column, Frame } from '../shared/frame.ts';

/** Translates a text of the floors below, whose texts are data. */
export const say: Say = (text, ...parts) => (text === '' ? '' : t(text, ...parts));

const known = new WeakMap<Column, Column>();

/** A column named in the person's language; the host has done so with the fields that are received. The same one each time. */
export function columnInWords<Kind extends Column>(column: Kind): Kind {
  if (!column.field) return column;
  const made = known.get(column) ?? { ...column, field: fieldInWords(column.field, say) };
  known.set(column, made);
  return made as Kind;
}

/** The columns of a frame, each named in the person's language. */
export function inWords({ rowCount, columns }: Frame): Frame {
  return { rowCount, columns: columns.map(columnInWords) };
}
