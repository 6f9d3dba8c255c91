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
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import { unitOf } from '../../shared/units.ts';
import { createFigureFormatter } from '../../shared/formatNumber.ts';
import type { NumberColumn } from '../../shared/frame.ts';
import { findStressBand, parseLimit } from '../../core/formula/columnLimit.ts';
import { FormulaError } from '../../core/formula/formula.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import { countFormatter } from '../columns/numberTexts.ts';
import { formulaProblem } from '../formula/formulaProblem.ts';
import { stressNames } from '../columns/stressBand.ts';
import type { ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';

/** The names of the kinds of events. */
export function choiceNames(): Readonly<Record<(typeof eventChoices)[number], string>> {
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

/** The names of the rows that can be ranked as unusual. `stepMs` is the length of a received row. */
export function unusualNames(stepMs: number): Readonly<Record<UnusualBin, string>> {
  return {
    row: stepMs === hourMs ? t('Hours') : t('Rows'),
    day: t('Days'),
    week: t('Weeks'),
    month: t('Months'),
  };
}

/** Explains why a search value is invalid, and what to enter instead. */
export function valueProblem({ problem, value }: Pick<ResolvedEventChoice, 'problem' | 'value'>): string {
  if (problem instanceof FormulaError) return formulaProblem(problem);
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

/** "12 events: runs of hours with Stress at high or above; up to 3 unknown hours inside a run are bridged". */
export function eventsSentence(
  count: number,
  { rule, stepMs, lengths, unusual }: EventSearch,
  column: NumberColumn,
  { locale, zone }: { readonly locale: string; readonly zone: DisplayZone },
): string {
  if (rule.kind === 'unusual')
    return unusualSentence(rule.by, column, unusual ?? { unjudged: 0, earliest: NaN }, { count, stepMs, locale, zone });
  const counted =
    count === 0 ? t('No events') : count === 1 ? t('1 event') : t('{0} events', countFormatter(locale)(count));
  const bridged = canBridge(rule, stepMs)
    ? [t('up to {0} unknown hours inside a run are bridged', maxBridgedHours)]
    : [];
  const areHours = stepMs === hourMs && !lengths;
  return `${counted}: ${[definition(rule, column, areHours, locale), ...bridged].join('; ')}`;
}

/** Describes which rows are ranked, what they are compared with, and how many could not be ranked. */
function unusualSentence(
  by: UnusualBin,
  column: NumberColumn,
  { unjudged, earliest }: NonNullable<EventSearch['unusual']>,
  { count, stepMs, locale, zone }: UnusualCounts,
): string {
  const number = countFormatter(locale);
  const { label } = columnHeader(column);
  const { timeZone } = zone;
  const date = timeFormatter(locale, timeZone, { year: true, time: false, seconds: false, milliseconds: false });
  const since = Number.isNaN(earliest) ? '' : date(earliest);
  const rows = `${number(count)} ${unusualNames(stepMs)[by].toLowerCase()}`;
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
  const known = since && t('Compared with rows of the result and the archive, from {0}', since);
  const left =
    unjudged > 0 &&
    t(
      'Omitted because of fewer than {0} values to compare with or too few hours: {1}',
      minComparedValues,
      number(unjudged),
    );
  return [method, known, left].filter(Boolean).join('. ');
}

interface UnusualCounts {
  readonly count: number;
  readonly stepMs: number;
  readonly locale: string;
  readonly zone: DisplayZone;
}

function definition(rule: RunRule, column: NumberColumn, areHours: boolean, locale: string): string {
  const { label, unit } = columnHeader(column);
  const measured = (value: number): string => [createFigureFormatter(locale)(value), unit].filter(Boolean).join(' ');
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
            measured(rule.value),
          )
        : t(
            '{0} rose or fell by at least {1} over {2} hours; adjacent changes in one direction are one event',
            label,
            measured(rule.value),
            rule.hours,
          );
    case 'condition':
      return conditionRuns(rule.condition, column, { rows, label, measured });
  }
}

/** Describes runs that meet a condition: in words if it is a limit of the searched column, else as typed. */
function conditionRuns(
  condition: string,
  { name, field }: NumberColumn,
  {
    rows,
    label,
    measured,
  }: { readonly rows: string; readonly label: string; readonly measured: (value: number) => string },
): string {
  const limit = parseLimit(condition);
  const band = limit && unitOf(field).kind === 'index' ? findStressBand(limit, name) : undefined;
  if (band === 'critical') return t('runs of {0} with {1} {2}', rows, label, stressNames()[band]);
  if (band) return t('runs of {0} with {1} {2} or above', rows, label, stressNames()[band]);
  if (limit?.column !== name || limit.sign === '>=') return t('runs of {0} in which {1}', rows, condition);
  return limit.sign === '>'
    ? t('runs of {0} with {1} over {2}', rows, label, measured(limit.value))
    : t('runs of {0} with {1} under {2}', rows, label, measured(limit.value));
}
