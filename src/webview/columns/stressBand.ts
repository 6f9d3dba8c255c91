import { t } from '@vscode/l10n';
import type { NumberColumn } from '../../shared/frame.ts';
import type { CellBadge } from '../grid/gridColumn.ts';
import type { ColumnBadges } from './columnBadges.ts';

/** The bands of the grid stress index, as the API documents them. */
export type StressBand = 'low' | 'moderate' | 'high' | 'critical';

/** The band of a stress value: below 0.3 low, 0.6 moderate, 0.8 high, above critical. Undefined for no number. */
export function stressBand(value: number): StressBand | undefined {
  if (Number.isNaN(value)) return undefined;
  return value < 0.3 ? 'low' : value < 0.6 ? 'moderate' : value < 0.8 ? 'high' : 'critical';
}

/** Whether a column is the grid stress index. Its plain name means so only where the catalogue knows the field. */
export function isStress(column: NumberColumn): boolean {
  return column.name === 'value' && column.field !== undefined;
}

/** The word of the band beside the value; all words are equally long, so that the values stay below each other. */
export function stressBadges(): ColumnBadges {
  const words = { low: t('low'), moderate: t('moderate'), high: t('high'), critical: t('critical') };
  const length = Math.max(...Object.values(words).map(word => word.length));
  const badge = (tone: StressBand): CellBadge => ({ text: words[tone].padEnd(length), spoken: words[tone], tone });
  const badges = { low: badge('low'), moderate: badge('moderate'), high: badge('high'), critical: badge('critical') };
  return {
    badges: Object.values(badges),
    badgeOf: value => {
      const band = stressBand(value);
      return band && badges[band];
    },
  };
}
