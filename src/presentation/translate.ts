import { t } from '@vscode/l10n';
import { translateField, type Translate } from '../core/bins/binSums.ts';
import type { Column, Frame } from '../shared/frame.ts';

/** Translates a text from `core` or `shared`, which hold their texts as data. */
export const translate: Translate = (text, ...parts) => (text === '' ? '' : t(text, ...parts));

const translatedColumns = new WeakMap<Column, Column>();

/** Translates the field of a column; the host has already translated received fields. Cached per column. */
export function translateColumn<Kind extends Column>(column: Kind): Kind {
  if (!column.field) return column;
  const translated = translatedColumns.get(column) ?? { ...column, field: translateField(column.field, translate) };
  translatedColumns.set(column, translated);
  return translated as Kind;
}

const translatedFrames = new WeakMap<Frame, Frame>();

/** Translates the columns of a frame. Cached per frame. */
export function translateFrame(frame: Frame): Frame {
  const translated = translatedFrames.get(frame) ?? {
    rowCount: frame.rowCount,
    columns: frame.columns.map(translateColumn),
  };
  translatedFrames.set(frame, translated);
  return translated;
}
