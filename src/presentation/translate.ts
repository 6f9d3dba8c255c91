import { t } from '@vscode/l10n';
import { translateField, type Translate } from '../core/bins/binSums.ts';
import type { Column, Frame } from '../shared/frame.ts';

/** Translates a text from `core` or `shared`, which hold their texts as data. */
export const say: Translate = (text, ...parts) => (text === '' ? '' : t(text, ...parts));

const known = new WeakMap<Column, Column>();

/** Translates the field of a column; the host has already translated received fields. Cached per column. */
export function columnInWords<Kind extends Column>(column: Kind): Kind {
  if (!column.field) return column;
  const made = known.get(column) ?? { ...column, field: translateField(column.field, say) };
  known.set(column, made);
  return made as Kind;
}

const knownFrames = new WeakMap<Frame, Frame>();

/** Translates the columns of a frame. Cached per frame. */
export function inWords(frame: Frame): Frame {
  const made = knownFrames.get(frame) ?? { rowCount: frame.rowCount, columns: frame.columns.map(columnInWords) };
  knownFrames.set(frame, made);
  return made;
}
