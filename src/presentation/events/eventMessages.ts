import { t } from '@vscode/l10n';
import { canBridge } from '../../core/events/eventFrame.ts';
import { hourMs } from '../../shared/durations.ts';
import {
  maxBridgedHours,
  peakHours,
  type eventChoices,
  type EventSearch,
  type RunRule,
  type UnusualBin,
} from '../../shared/eventSearch.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { minComparedValues, weeksBefore } from '../../core/events/findUnusual.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { unitOf } from '../../shared/units.ts';
import { createFigureFormatter } from '../../shared/formatNumber.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import { findStressBand, parseLimit } from '../../core/formula/columnLimit.ts';
import { FormulaError } from '../../core/formula/formula.ts';
import { createColumnHeader } from '../columns/columnHeader.ts';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';
import { describeFormulaProblem } from '../formula/formulaProblem.ts';
import { getStressBandNames } from '../columns/stressBand.ts';
import type { ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';

/** The names of the kinds of events. */
export function getEventChoiceNames(): Readonly<Record<(typeof eventChoices)[number], string>> {
  return {
    peak: t('Peaks'),
    ramp: t('Ramps'),
    over: t('Over a Value'),
    under: t('Under a Value'),
    ocgt: t('OCGT Runs'),
    band: t('Stress Bands'),
    condition: t('Condition'),
    unusual: t('Unusual'),
  };
}

/** The names of the rows that can be ranked as unusual. `intervalMs` is the length of a received row. */
export function getUnusualBinNames(intervalMs: number): Readonly<Record<UnusualBin, string>> {
  return {
    row: intervalMs === hourMs ? t('Hours') : t('Rows'),
    day: t('Days'),
    week: t('Weeks'),
    month: t('Months'),
  };
}

/** Explains why a search value is invalid, and what to enter instead. */
export function describeEventValueProblem({ problem, value }: Pick<ResolvedEventChoice, 'problem' | 'value'>): string {
  if (problem instanceof FormulaError) return describeFormulaProblem(problem);
  switch (problem) {
    case 'notNumber':
      return t("'{0}' isn't a valid number.", value);
    case 'ambiguousNumber':
      return t("'{0}' is ambiguous. Omit the thousands separator, or write more or fewer decimals.", value);
    case 'notAbove0':
      return t('Enter a number above 0.');
    case undefined:
      return '';
  }
}

/** Describes the found events, such as "12 events: runs of hours with Stress at high or above; up to 3 unknown hours inside a run are bridged". */
export function formatEventsSentence(
  count: number,
  { rule, intervalMs, lengths, unusual }: EventSearch,
  column: NumberColumn,
  { locale, zone }: { readonly locale: string; readonly zone: DisplayZone },
): string {
  if (rule.kind === 'unusual')
    return describeUnusualRows(rule.by, column, unusual ?? { unrated: 0, earliest: NaN }, {
      count,
      intervalMs,
      locale,
      zone,
    });
  const eventCount =
    count === 0 ? t('No events') : count === 1 ? t('1 event') : t('{0} events', createCountFormatter(locale)(count));
  const bridgedSentences = canBridge(rule, intervalMs)
    ? [t('up to {0} unknown hours inside a run are bridged', maxBridgedHours)]
    : [];
  const areHours = intervalMs === hourMs && !lengths;
  return `${eventCount}: ${[describeRule(rule, column, areHours, locale), ...bridgedSentences].join('; ')}`;
}

/** Describes which rows are ranked, what they are compared with, and how many could not be ranked. */
function describeUnusualRows(
  by: UnusualBin,
  column: NumberColumn,
  { unrated, earliest }: NonNullable<EventSearch['unusual']>,
  { count, intervalMs, locale, zone }: UnusualOptions,
): string {
  const formatCount = createCountFormatter(locale);
  const { label } = createColumnHeader(column);
  const { timeZone } = zone;
  const formatDate = createTimeFormatter(locale, timeZone, {
    year: true,
    time: false,
    seconds: false,
    milliseconds: false,
  });
  const earliestDate = Number.isNaN(earliest) ? '' : formatDate(earliest);
  const rows = `${formatCount(count)} ${getUnusualBinNames(intervalMs)[by].toLowerCase()}`;
  const method =
    by === 'month'
      ? t('{0} of {1}, most unusual first: ranked among the same months of earlier years', rows, label)
      : by === 'week'
        ? t(
            '{0} of {1}, most unusual first: ranked among the {2} weeks before and the three around the same week of earlier years',
            rows,
            label,
            weeksBefore,
          )
        : t(
            '{0} of {1}, most unusual first; compared with the same time of the week in the {2} previous weeks and in the three weeks around it in earlier years',
            rows,
            label,
            weeksBefore,
          );
  const comparedSentence =
    earliestDate && t('Compared with rows of the result and the archive, from {0}', earliestDate);
  const omittedSentence =
    unrated > 0 &&
    t(
      'Omitted because of fewer than {0} values to compare with or too few hours: {1}',
      minComparedValues,
      formatCount(unrated),
    );
  return [method, comparedSentence, omittedSentence].filter(Boolean).join('. ');
}

interface UnusualOptions {
  readonly count: number;
  readonly intervalMs: number;
  readonly locale: string;
  readonly zone: DisplayZone;
}

function describeRule(rule: RunRule, column: NumberColumn, areHours: boolean, locale: string): string {
  const { label, unit } = createColumnHeader(column);
  const formatMeasured = (value: number): string =>
    [createFigureFormatter(locale)(value), unit].filter(Boolean).join(' ');
  const rows = areHours ? t('hours') : t('rows');
  switch (rule.kind) {
    case 'peak':
      return t(
        '{0} with the highest {1} within {2} hours before and after; the earliest if several are equal',
        rows,
        label,
        peakHours,
      );
    case 'ramp':
      return rule.hours === 1
        ? t(
            '{0} rose or fell by at least {1} over 1 hour; adjacent changes in one direction are one event',
            label,
            formatMeasured(rule.value),
          )
        : t(
            '{0} rose or fell by at least {1} over {2} hours; adjacent changes in one direction are one event',
            label,
            formatMeasured(rule.value),
            rule.hours,
          );
    case 'condition':
      return describeConditionRuns(rule.condition, column, { rows, label, formatMeasured });
  }
}

/** Describes runs that meet a condition. A limit of the searched column is described in words; any other condition is quoted as typed. */
function describeConditionRuns(
  condition: string,
  { name, field }: NumberColumn,
  {
    rows,
    label,
    formatMeasured,
  }: { readonly rows: string; readonly label: string; readonly formatMeasured: (value: number) => string },
): string {
  const limit = parseLimit(condition);
  const band = limit && unitOf(field).kind === 'index' ? findStressBand(limit, name) : undefined;
  if (band === 'critical') return t('runs of {0} with {1} {2}', rows, label, getStressBandNames()[band]);
  if (band) return t('runs of {0} with {1} {2} or above', rows, label, getStressBandNames()[band]);
  if (limit?.column !== name || limit.sign === '>=') return t('runs of {0} in which {1}', rows, condition);
  return limit.sign === '>'
    ? t('runs of {0} with {1} over {2}', rows, label, formatMeasured(limit.value))
    : t('runs of {0} with {1} under {2}', rows, label, formatMeasured(limit.value));
}
