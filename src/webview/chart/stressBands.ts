import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import { stressNames } from '../columns/stressBand.ts';
import type { Band } from './plot.ts';

/** The bands of the stress index with their names, lowest first. */
export function stressBands(): Band[] {
  const names = stressNames();
  return stressBandIds.map((id, index) => {
    const next = stressBandIds[index + 1];
    return { name: names[id], from: stressLimits[id], to: next ? stressLimits[next] : 1 };
  });
}
