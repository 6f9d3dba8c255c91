import { t } from '@vscode/l10n';
import { stressField } from '../../shared/fields.ts';
import { getStressBand, type StressBand } from '../../shared/stressBands.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import type { CellBadge } from '../table/gridColumn.ts';

/** The badges of a column of numbers. */
export interface ColumnBadges {
  /** All badges that the column can display. */
  readonly badges: readonly CellBadge[];
  readonly findBadge: (value: number) => CellBadge | undefined;
}

/** Whether a column is the grid stress index. Other data may have a column of this name, so its field must also be known. */
export function isStressIndex({ name, field }: NumberColumn): boolean {
  return name === stressField && field !== undefined && !field.isDerived;
}

/** The translated names of the bands. */
export function getStressBandNames(): Readonly<Record<StressBand, string>> {
  return { low: t('low'), moderate: t('moderate'), high: t('high'), critical: t('critical') };
}

/** Creates badges that name the band of a value. All are padded to the same length to keep the values aligned. */
export function createStressBadges(): ColumnBadges {
  const names = getStressBandNames();
  const length = Math.max(...Object.values(names).map(word => word.length));
  const createBadge = (tone: StressBand): CellBadge => ({
    text: names[tone].padEnd(length),
    spoken: names[tone],
    tone,
  });
  const badges = {
    low: createBadge('low'),
    moderate: createBadge('moderate'),
    high: createBadge('high'),
    critical: createBadge('critical'),
  };
  return {
    badges: Object.values(badges),
    findBadge: value => (Number.isNaN(value) ? undefined : badges[getStressBand(value)]),
  };
}
