import { t } from '@vscode/l10n';
import { isCycle, resampledFigureSets } from '../../shared/resampling.ts';
import { binNames } from '../../presentation/columns/binNames.ts';
import { openPopupMenu, type MenuEntry, type MenuItem } from '../grid/popupMenu.ts';
import type { View } from '../../shared/view.ts';
import { zoomedTo } from './panelView.ts';
import type { ResampleChoice } from './toolbar.ts';

/** Creates the button and the menu for resampling: by which bins, and which figures. Returns undefined if there is no choice. */
export function resampleChoice(
  choices: readonly NonNullable<View['resample']>[],
  view: View,
  change: (change: Partial<View>) => void,
  announce: (text: string) => void,
): ResampleChoice | undefined {
  if (choices.length === 0) return undefined;
  const names = binNames();
  const { resample } = view;
  const chosen = resample !== undefined && choices.includes(resample) ? resample : undefined;
  const item = (by: typeof resample, label: string): MenuItem => ({
    label,
    checked: by === chosen,
    separatorBefore: by === choices[0],
    run: () => {
      // The axis of a cycle is no time range, so that a zoom is meaningless on the other axis.
      const isOther = [by, chosen].some(one => one !== undefined && isCycle(one));
      change({ resample: by, ...(isOther && zoomedTo(undefined, view)) });
      announce(by === undefined ? t('Rows as received') : t('Resampled: {0}', label));
    },
  });
  const open = (anchor: DOMRect, binFigures: View['binFigures'], focused?: number): void => {
    const items = choices.map(by => ({ by, item: item(by, names[by]) }));
    const profiles = items.filter(({ by }) => isCycle(by)).map(one => one.item);
    const bins: MenuEntry[] = [
      item(undefined, t('As Received')),
      ...items.filter(({ by }) => !isCycle(by)).map(one => one.item),
      ...(profiles.length > 0 ? [{ label: t('Profiles'), items: profiles, separatorBefore: true }] : []),
    ];
    // The menu is opened again after a choice of figures, because a choice of bins may follow.
    const figures = [undefined, ...resampledFigureSets].map((of, at): MenuItem => {
      const label = figuresName(of);
      const run = (): void => {
        change({ binFigures: of });
        announce(label);
        open(anchor, of, bins.length + at);
      };
      return { label, checked: of === binFigures, separatorBefore: of === undefined, run };
    });
    openPopupMenu([...bins, ...figures], anchor, t('Resample'), focused);
  };
  return { name: chosen && names[chosen], open: anchor => open(anchor, view.binFigures) };
}

function figuresName(figures: View['binFigures']): string {
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
