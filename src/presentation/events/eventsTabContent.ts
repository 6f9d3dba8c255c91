import { t } from '@vscode/l10n';
import type { Analyzer } from '../../core/analysis/analyze.ts';
import { getIntervalSpan } from '../../core/analysis/rowIntervals.ts';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { resolveEventChoice, canHaveEvents, type ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';
import type { EventRule } from '../../shared/eventSearch.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { getCommonAnalysis, type ComputedRows, type TabTexts } from '../result/computedRows.ts';
import { formatChartWindow } from '../result/windowText.ts';
import { translateFrame } from '../translate.ts';
import { formatEventsSentence } from './eventMessages.ts';

/** The content of the Events tab. */
export interface EventsTabContent {
  /** The applied search; undefined if the rows cannot be searched. */
  readonly choice: ResolvedEventChoice | undefined;
  /** Undefined if the search options are invalid. */
  readonly rows: ComputedRows | undefined;
  readonly texts: TabTexts;
}

/** Finds the events that a view searches for. `locale` parses and formats the numbers. */
export function computeEventsTab(analyzer: Analyzer, state: TableState, view: View, locale: string): EventsTabContent {
  const title = t('Events');
  const { rowsWithDerived } = analyzer.derive(state, view.derived);
  const interval = canHaveEvents(rowsWithDerived.frame) ? getIntervalSpan(rowsWithDerived) : undefined;
  const choice = interval && resolveEventChoice(rowsWithDerived.frame, interval.intervalMs, view.events, locale);
  const { rule, searched } = choice ?? {};
  const search = rule && searched && { rule, column: searched.name };
  const analysis = { ...getCommonAnalysis(view, 'events'), ...(search && { find: search }) };
  const analyzed = search && analyzer.analyze(state, analysis);
  if (!analyzed?.events || !rule || !searched)
    return { choice, rows: undefined, texts: { title, sentence: '', methods: [] } };
  const frame = translateFrame(analyzed.frame);
  const { intervalMs, rows: filteredRows } = analyzed.events;
  const { window, linked } = view;
  const zone = getZoneOfRows(state.interval, state.zone);
  const sentence = [
    formatEventsSentence(frame.rowCount, analyzed.events, searched, { locale, zone }),
    filteredRows && describeFilterEffect(rule),
    linked && window && formatChartWindow(window, zone, locale),
  ];
  return {
    choice,
    rows: { analysis, frame, order: analyzed.order, zone: state.zone, intervalMs },
    // The sentence already defines the events.
    texts: { title, sentence: sentence.filter(Boolean).join('. '), methods: [] },
  };
}

/** Describes how the filters affect a search. */
function describeFilterEffect(rule: EventRule): string {
  if (rule.kind !== 'unusual') return t('Hours excluded by filters are not searched, and end a run');
  return rule.by === 'row'
    ? t('Filters select the rows listed; all rows are compared')
    : t('Only hours that pass the filters count, including in the values compared with');
}
