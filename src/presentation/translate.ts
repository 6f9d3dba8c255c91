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

const knownFrames = new WeakMap<Frame, Frame>();

/** A frame whose columns are named in the person's language. The same one each time. */
export function inWords(frame: Frame): Frame {
  const made = knownFrames.get(frame) ?? { rowCount: frame.rowCount, columns: frame.columns.map(columnInWords) };
  knownFrames.set(frame, made);
  return made;
}
