import { t } from '@vscode/l10n';
import type { Analyser } from '../../core/analysis/analyse.ts';
import { getIntervalSpan } from '../../core/analysis/rowIntervals.ts';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { resolveEventChoice, canHaveEvents, type ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';
import type { EventRule } from '../../shared/eventSearch.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { stepsAround, type ComputedRows, type RowWords } from '../result/computedRows.ts';
import { windowText } from '../result/windowText.ts';
import { inWords } from '../translate.ts';
import { eventsSentence } from './eventWords.ts';

/** The content of the Events tab. */
export interface ShownEvents {
  /** The applied search; undefined if the rows cannot be searched. */
  readonly choice: ResolvedEventChoice | undefined;
  /** Undefined if the choice is invalid. */
  readonly rows: ComputedRows | undefined;
  readonly words: RowWords;
}

/** Finds the events that a view searches for. `locale` parses and formats the numbers. */
export function shownEvents(analyser: Analyser, state: TableState, view: View, locale: string): ShownEvents {
  const title = t('Events');
  const { rowsWithDerived } = analyser.derive(state, view.derived);
  const steps = canHaveEvents(rowsWithDerived.frame) ? getIntervalSpan(rowsWithDerived) : undefined;
  const choice = steps && resolveEventChoice(rowsWithDerived.frame, steps.stepMs, view.events, locale);
  const { rule, searched } = choice ?? {};
  const find = rule && searched && { rule, column: searched.name };
  const analysis = { ...stepsAround(view, 'events'), ...(find && { find }) };
  const analysed = find && analyser.analyse(state, analysis);
  if (!analysed?.events || !rule || !searched)
    return { choice, rows: undefined, words: { title, sentence: '', methods: [] } };
  const frame = inWords(analysed.frame);
  const { stepMs: step, rows: passing } = analysed.events;
  const { window, linked } = view;
  const zone = getZoneOfRows(state.interval, state.zone);
  const sentence = [
    eventsSentence(frame.rowCount, analysed.events, searched, { locale, zone }),
    passing && filteredSentence(rule),
    linked && window && windowText(window, zone, locale),
  ];
  return {
    choice,
    rows: { analysis, frame, order: analysed.order, zone: state.zone, step },
    // The sentence already defines the events.
    words: { title, sentence: sentence.filter(Boolean).join('. '), methods: [] },
  };
}

/** Describes how the filters affect a search. */
function filteredSentence(rule: EventRule): string {
  if (rule.kind !== 'unusual') return t('Hours excluded by filters are not searched, and end a run');
  return rule.by === 'row'
    ? t('Filters select the rows listed; all rows are compared')
    : t('Only hours that pass the filters count, including in the values compared with');
}
