import { fitsSteps } from './eventFrame.ts';
import { isOfComparedPeriod } from '../compare/compare.ts';
import { limitText, type ColumnLimit } from '../formula/columnLimit.ts';
import { windowRowMs } from '../formula/deriveColumns.ts';
import { FormulaError } from '../formula/formula.ts';
import { nameInFormula, parseCondition } from '../formula/parseFormula.ts';
import { stressLimits } from '../../shared/stressBands.ts';
import { eventChoices, type EventChoice, type EventChoiceKind, type EventRule } from '../../shared/eventSearch.ts';
import { demandField, ocgtField } from '../../shared/fields.ts';
import { numberShape } from '../../shared/formatNumber.ts';
import { type Frame, type NumberColumn } from '../../shared/frame.ts';
import { numberReader } from '../../shared/localeNumber.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { numberColumn, numberColumns, stressColumn } from '../frame/chartColumns.ts';

/** The selection as it applies to a frame. */
export interface AppliedChoice extends EventChoice {
  readonly kinds: readonly EventChoiceKind[];
  readonly columns: readonly NumberColumn[];
  readonly searched: NumberColumn;
  /** The length of a row in milliseconds. */
  readonly stepMs: number;
  readonly value: string;
  /** Why the value is not a valid number or condition for the rule; undefined if it is valid. */
  readonly problem: 'notNumber' | 'ambiguousNumber' | 'notAbove0' | FormulaError | undefined;
  /** Undefined if there is a problem. */
  readonly rule: EventRule | undefined;
}

/** Whether the frame has instants and numbers, in rows that are not bins. */
export function canHaveEvents(frame: Frame): boolean {
  const time = timeColumnOf(frame);
  return time !== undefined && !time.bins && numberColumns(frame).length > 0;
}

/** Applies the selection to rows of this length in milliseconds. If the frame lacks the selected kind or column, uses the next one. */
export function appliedChoice(
  frame: Frame,
  stepMs: number,
  choice: EventChoice,
  locale: string,
): AppliedChoice | undefined {
  const columns = numberColumns(frame).filter(one => choice.kind !== 'unusual' || !isOfComparedPeriod(one));
  const [ocgt, stress] = [numberColumn(frame, ocgtField), stressColumn(frame)];
  const isOffered = (kind: EventChoiceKind): boolean =>
    kind === 'ocgt'
      ? ocgt !== undefined
      : (kind !== 'band' || stress !== undefined) && fitsSteps(kind, stepMs, timeColumnOf(frame));
  const kinds = eventChoices.filter(isOffered);
  const kind = kinds.find(one => one === choice.kind) ?? kinds[0];
  const named = columns.find(({ name }) => name === choice.column);
  const usual = named ?? numberColumn(frame, demandField) ?? stress ?? columns[0];
  const searched = kind === 'ocgt' ? ocgt : kind === 'band' ? stress : usual;
  if (!kind || !searched) return undefined;
  const usualText = String(usualValue(searched, kind));
  const value = choice.value ?? (kind === 'condition' ? `${nameInFormula(searched.name)} > ${usualText}` : usualText);
  const read = readRule({ ...choice, kind, value }, { frame, searched, stepMs, locale });
  return { ...choice, kind, kinds, columns, searched, stepMs, value, problem: undefined, rule: undefined, ...read };
}

interface RuleContext {
  readonly frame: Frame;
  readonly searched: NumberColumn;
  readonly stepMs: number;
  readonly locale: string;
}

function readRule(
  { kind, value, hours, band, by }: EventChoice & { readonly value: string },
  { frame, searched: { name: column }, stepMs, locale }: RuleContext,
): Pick<AppliedChoice, 'rule'> | Pick<AppliedChoice, 'problem'> {
  const limited = (limit: Omit<ColumnLimit, 'column'>): Pick<AppliedChoice, 'rule'> => {
    return { rule: { kind: 'condition', condition: limitText({ column, ...limit }) } };
  };
  if (kind === 'peak') return { rule: { kind } };
  if (kind === 'unusual') return { rule: { kind, by } };
  if (kind === 'band') return limited({ sign: '>=', value: stressLimits[band] });
  if (kind === 'ocgt') return limited({ sign: '>', value: 0 });
  if (kind === 'condition') {
    const condition = value.trim();
    const read = parseCondition(condition, frame.columns, windowRowMs(frame, stepMs));
    return read instanceof FormulaError ? { problem: read } : { rule: { kind, condition } };
  }
  const read = numberReader(locale)(value);
  if (typeof read !== 'number') return { problem: read === 'none' ? 'notNumber' : 'ambiguousNumber' };
  if (kind !== 'ramp') return limited({ sign: kind === 'over' ? '>' : '<', value: read });
  return read > 0 ? { rule: { kind, value: read, hours } } : { problem: 'notAbove0' };
}

/** Returns an initial value with two digits: the middle of the values or, for a change, a quarter of their range. */
function usualValue(column: NumberColumn, kind: EventChoiceKind): number {
  const [least, greatest] = numberShape(column, column.values.length).range ?? [NaN, NaN];
  const value = kind === 'ramp' ? greatest / 4 - least / 4 : least / 2 + greatest / 2;
  return Number.isFinite(value) ? Number(value.toPrecision(2)) : 0;
}
