import { canHaveEvents } from '../../core/events/resolveEventChoice.ts';
import { canScore } from '../../core/forecast/scoreChoice.ts';
import { isChartable } from '../../core/frame/chartColumns.ts';
import type { Frame } from '../../shared/frame.ts';
import { resultTabs, type View, type ResultTab } from '../../shared/view.ts';

/** Lists the tabs of a result. Forecast and Events exist only if the result has suitable columns. */
export function listTabs(frame: Frame): readonly ResultTab[] {
  const hasTab: Readonly<Partial<Record<ResultTab, boolean>>> = {
    forecast: canScore(frame),
    events: canHaveEvents(frame),
  };
  return resultTabs.filter(tab => hasTab[tab] ?? true);
}

/** Returns the tab that is open in a view. This is the table if the result does not have the view's tab. */
export function getOpenTab(frame: Frame, { tab }: Pick<View, 'tab'>): ResultTab {
  return listTabs(frame).includes(tab) && (tab !== 'split' || isChartable(frame)) ? tab : 'table';
}
