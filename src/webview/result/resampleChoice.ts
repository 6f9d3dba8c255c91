import { t } from '@vscode/l10n';
import { isCycle, resampledFigureSets } from '../../shared/resampling.ts';
import { getBinNames } from '../../presentation/columns/binNames.ts';
import { openPopupMenu, type MenuEntry, type MenuItem } from '../grid/popupMenu.ts';
import type { View } from '../../shared/view.ts';
import { createZoomChange } from './viewChanges.ts';
import type { ResampleChoice } from './toolbar.ts';

/** Creates the button for resampling, and its menu of bins and figures. Returns undefined if the rows cannot be resampled. */
export function createResampleChoice(
  choices: readonly NonNullable<View['resample']>[],
  view: View,
  change: (change: Partial<View>) => void,
  announce: (text: string) => void,
): ResampleChoice | undefined {
  if (choices.length === 0) return undefined;
  const labels = getBinNames();
  const { resample } = view;
  const selectedBins = resample !== undefined && choices.includes(resample) ? resample : undefined;
  const createItem = (bin: typeof resample, label: string): MenuItem => ({
    label,
    checked: bin === selectedBins,
    separatorBefore: bin === choices[0],
    run: () => {
      // A cycle does not have a time axis, so a zoom cannot be kept when the axis changes.
      const changesAxis = [bin, selectedBins].some(choice => choice !== undefined && isCycle(choice));
      change({ resample: bin, ...(changesAxis && createZoomChange(undefined, view)) });
      announce(bin === undefined ? t('Rows as received') : t('Resampled: {0}', label));
    },
  });
  const open = (anchor: DOMRect, binFigures: View['binFigures'], focused?: number): void => {
    const items = choices.map(bin => ({ bin, item: createItem(bin, labels[bin]) }));
    const profiles = items.filter(({ bin }) => isCycle(bin)).map(entry => entry.item);
    const bins: MenuEntry[] = [
      createItem(undefined, t('As Received')),
      ...items.filter(({ bin }) => !isCycle(bin)).map(entry => entry.item),
      ...(profiles.length > 0 ? [{ label: t('Profiles'), items: profiles, separatorBefore: true }] : []),
    ];
    // The menu is opened again after a choice of figures, because a choice of bins may follow.
    const figures = [undefined, ...resampledFigureSets].map((figureSet, index): MenuItem => {
      const label = getFigureSetLabel(figureSet);
      const run = (): void => {
        change({ binFigures: figureSet });
        announce(label);
        open(anchor, figureSet, bins.length + index);
      };
      return { label, checked: figureSet === binFigures, separatorBefore: figureSet === undefined, run };
    });
    openPopupMenu([...bins, ...figures], anchor, t('Resample'), focused);
  };
  return { name: selectedBins && labels[selectedBins], open: anchor => open(anchor, view.binFigures) };
}

function getFigureSetLabel(figures: View['binFigures']): string {
  switch (figures) {
    case undefined:
      return t('All Figures');
    case 'energy':
      return t('Energy');
    case 'mean':
      return t('Mean');
    case 'extremes':
      return t('Lowest and Highest');
  }
}
