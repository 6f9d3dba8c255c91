import { t } from '@vscode/l10n';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import type { Band } from './plot.ts';

/** The bands of the stress index with their names, lowest first. */
export function stressBands(): Band[] {
  const names = { low: t('low'), moderate: t('moderate'), high: t('high'), critical: t('critical') };
  return stressBandIds.map((id, index) => {
    const next = stressBandIds[index + 1];
    return { name: names[id], from: stressLimits[id], to: next ? stressLimits[next] : 1 };
  });
}

/** The band a value of the index lies in: each begins at its lower limit. */
export function bandOf(value: number, bands: readonly Band[]): Band | undefined {
  return bands.findLast(({ from }, index) => index === 0 || value >= from);
}
