import { t } from '@vscode/l10n';
import type { Band } from './plot.ts';

const limits = [0, 0.3, 0.6, 0.8, 1] as const;

/** The bands of the stress index, as its field describes them, lowest first. */
export function stressBands(): Band[] {
  const names = [t('low'), t('moderate'), t('high'), t('critical')];
  return names.map((name, index) => ({ name, from: limits[index] ?? 0, to: limits[index + 1] ?? 1 }));
}

/** The band a value of the index lies in: each begins at its lower limit. */
export function bandOf(value: number, bands: readonly Band[]): Band | undefined {
  return bands.findLast(({ from }, index) => index === 0 || value >= from);
}
