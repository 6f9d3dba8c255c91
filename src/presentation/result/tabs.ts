import { canHaveEvents } from '../../core/events/eventChoice.ts';
import { canScore } from '../../core/forecast/scoreChoice.ts';
import { isChartable } from '../../core/frame/chartColumns.ts';
import type { Frame } from '../../shared/frame.ts';
import { resultTabs, type PanelView, type ResultTab } from '../../shared/savedView.ts';

/** The tabs of a result as it was received. */
export function tabsOf(frame: Frame): readonly ResultTab[] {
  const isOffered: Readonly<Partial<Record<ResultTab, boolean>>> = {
    forecast: canScore(frame),
    events: canHaveEvents(frame),
  };
  return resultTabs.filter(tab => isOffered[tab] ?? true);
}

/** The tab of a view that is open: the table where the result has none of that kind. */
export function openTab(frame: Frame, { tab }: Pick<PanelView, 'tab'>): ResultTab {
  return tabsOf(frame).includes(tab) && (tab !== 'split' || isChartable(frame)) ? tab : 'table';
}
