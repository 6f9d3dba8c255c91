import { canFindEvents } from './eventFrame.ts';
import { isComparedPeriodColumn } from '../compare/compareFrames.ts';
import { formatLimit, type ColumnLimit } from '../formula/columnLimit.ts';
import { getWindowRowMs } from '../formula/deriveColumns.ts';
import { FormulaError } from '../formula/formula.ts';
import { quoteColumnName, parseCondition } from '../formula/parseFormula.ts';
import { stressLimits } from '../../shared/stressBands.ts';
import { eventChoices, type EventChoice, type EventChoiceKind, type EventRule } from '../../shared/eventSearch.ts';
import { demandField, ocgtField } from '../../shared/fields.ts';
import { getNumberShape } from '../../shared/formatNumber.ts';
import { type Frame, type NumberColumn } from '../../shared/frame.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { findNumberColumn, listNumberColumns, findStressColumn } from '../frame/chartColumns.ts';

/** The selection as it applies to a frame. */
export interface ResolvedEventChoice extends EventChoice {
  readonly kinds: readonly EventChoiceKind[];
  readonly columns: readonly NumberColumn[];
  readonly searched: NumberColumn;
  /** The length of a row in milliseconds. */
  readonly intervalMs: number;
  readonly value: string;
  /** Why the value is not a valid number or condition for the rule; undefined if it is valid. */
  readonly problem: 'notNumber' | 'ambiguousNumber' | 'notAbove0' | FormulaError | undefined;
  /** Undefined if there is a problem. */
  readonly rule: EventRule | undefined;
}

/** Whether the frame has instants and numbers, in rows that are not bins. */
export function canHaveEvents(frame: Frame): boolean {
  const time = findTimeColumn(frame);
  return time !== undefined && !time.bins && listNumberColumns(frame).length > 0;
}

/** Applies the selection to rows of this length in milliseconds. If the frame lacks the selected kind or column, uses another one. */
export function resolveEventChoice(
  frame: Frame,
  intervalMs: number,
  choice: EventChoice,
  locale: string,
): ResolvedEventChoice | undefined {
  const columns = listNumberColumns(frame).filter(
    candidate => choice.kind !== 'unusual' || !isComparedPeriodColumn(candidate),
  );
  const ocgt = findNumberColumn(frame, ocgtField);
  const stress = findStressColumn(frame);
  const isOffered = (kind: EventChoiceKind): boolean =>
    kind === 'ocgt'
      ? ocgt !== undefined
      : (kind !== 'band' || stress !== undefined) && canFindEvents(kind, intervalMs, findTimeColumn(frame));
  const kinds = eventChoices.filter(isOffered);
  const kind = kinds.find(candidate => candidate === choice.kind) ?? kinds[0];
  const selectedColumn = columns.find(({ name }) => name === choice.column);
  const defaultColumn = selectedColumn ?? findNumberColumn(frame, demandField) ?? stress ?? columns[0];
  const searched = kind === 'ocgt' ? ocgt : kind === 'band' ? stress : defaultColumn;
  if (!kind || !searched) return undefined;
  const defaultText = String(computeInitialValue(searched, kind));
  const value =
    choice.value ?? (kind === 'condition' ? `${quoteColumnName(searched.name)} > ${defaultText}` : defaultText);
  const parsed = parseRule({ ...choice, kind, value }, { frame, searched, intervalMs, locale });
  return {
    ...choice,
    kind,
    kinds,
    columns,
    searched,
    intervalMs,
    value,
    problem: undefined,
    rule: undefined,
    ...parsed,
  };
}

interface RuleContext {
  readonly frame: Frame;
  readonly searched: NumberColumn;
  readonly intervalMs: number;
  readonly locale: string;
}

function parseRule(
  { kind, value, hours, band, by }: EventChoice & { readonly value: string },
  { frame, searched: { name: column }, intervalMs, locale }: RuleContext,
): Pick<ResolvedEventChoice, 'rule'> | Pick<ResolvedEventChoice, 'problem'> {
  const createLimitRule = (limit: Omit<ColumnLimit, 'column'>): Pick<ResolvedEventChoice, 'rule'> => {
    return { rule: { kind: 'condition', condition: formatLimit({ column, ...limit }) } };
  };
  if (kind === 'peak') return { rule: { kind } };
  if (kind === 'unusual') return { rule: { kind, by } };
  if (kind === 'band') return createLimitRule({ sign: '>=', value: stressLimits[band] });
  if (kind === 'ocgt') return createLimitRule({ sign: '>', value: 0 });
  if (kind === 'condition') {
    const condition = value.trim();
    const parsed = parseCondition(condition, frame.columns, getWindowRowMs(frame, intervalMs));
    return parsed instanceof FormulaError ? { problem: parsed } : { rule: { kind, condition } };
  }
  const parsed = createNumberParser(locale)(value);
  if (typeof parsed !== 'number') return { problem: parsed === 'none' ? 'notNumber' : 'ambiguousNumber' };
  if (kind !== 'ramp') return createLimitRule({ sign: kind === 'over' ? '>' : '<', value: parsed });
  return parsed > 0 ? { rule: { kind, value: parsed, hours } } : { problem: 'notAbove0' };
}

/** Returns an initial value with two digits: the middle of the values or, for a change, a quarter of their range. */
function computeInitialValue(column: NumberColumn, kind: EventChoiceKind): number {
  const [min, max] = getNumberShape(column, column.values.length).range ?? [NaN, NaN];
  const value = kind === 'ramp' ? max / 4 - min / 4 : min / 2 + max / 2;
  return Number.isFinite(value) ? Number(value.toPrecision(2)) : 0;
}
