import { fitsSteps } from './eventFrame.ts';
import { eventChoices, type EventChoice, type EventChoiceKind, type EventRule } from '../../shared/eventSearch.ts';
import { demandField, ocgtField } from '../../shared/fields.ts';
import { numberShape } from '../../shared/formatNumber.ts';
import { type Frame, type NumberColumn } from '../../shared/frame.ts';
import { numberReader } from '../../shared/localeNumber.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { numberColumn, numberColumns, stressColumn } from '../frame/chartColumns.ts';

/** A choice as it applies to a frame. */
export interface AppliedChoice extends EventChoice {
  readonly kinds: readonly EventChoiceKind[];
  readonly columns: readonly NumberColumn[];
  readonly searched: NumberColumn;
  readonly value: string;
  /** Why the value is no number that a rule can have; undefined where it is. */
  readonly problem: 'notNumber' | 'ambiguousNumber' | 'notAbove0' | undefined;
  /** Undefined with a problem. */
  readonly rule: EventRule | undefined;
}

/** Whether there are instants and numbers in rows of equal length. */
export function canHaveEvents(frame: Frame): boolean {
  const time = timeColumnOf(frame);
  return time !== undefined && !time.bins && numberColumns(frame).length > 0;
}

/** The choice for rows of this length, in milliseconds, with the kind and column that come next where the frame lacks those chosen. */
export function appliedChoice(
  frame: Frame,
  stepMs: number,
  choice: EventChoice,
  locale: string,
): AppliedChoice | undefined {
  const columns = numberColumns(frame);
  const [ocgt, stress] = [numberColumn(frame, ocgtField), stressColumn(frame)];
  const isOffered = (kind: EventChoiceKind): boolean =>
    kind === 'ocgt' ? ocgt !== undefined : (kind !== 'band' || stress !== undefined) && fitsSteps({ kind }, stepMs);
  const kinds = eventChoices.filter(isOffered);
  const kind = kinds.find(one => one === choice.kind) ?? kinds[0];
  const named = columns.find(({ name }) => name === choice.column);
  const usual = named ?? numberColumn(frame, demandField) ?? stress ?? columns[0];
  const searched = kind === 'ocgt' ? ocgt : kind === 'band' ? stress : usual;
  if (!kind || !searched) return undefined;
  const value = choice.value ?? String(usualValue(searched, kind));
  const read = readRule({ ...choice, kind, value }, locale);
  return { ...choice, kind, kinds, columns, searched, value, problem: undefined, rule: undefined, ...read };
}

function readRule(
  { kind, value, hours, band }: EventChoice & { readonly value: string },
  locale: string,
): Pick<AppliedChoice, 'rule'> | Pick<AppliedChoice, 'problem'> {
  if (kind === 'peak') return { rule: { kind } };
  if (kind === 'band') return { rule: { kind, band } };
  if (kind === 'ocgt') return { rule: { kind: 'over', value: 0 } };
  const read = numberReader(locale)(value);
  if (typeof read !== 'number') return { problem: read === 'none' ? 'notNumber' : 'ambiguousNumber' };
  if (kind !== 'ramp') return { rule: { kind, value: read } };
  return read > 0 ? { rule: { kind, value: read, hours } } : { problem: 'notAbove0' };
}

/** A value to begin with, of two digits: in the middle of the values or, of a change, a quarter of their range. */
function usualValue(column: NumberColumn, kind: EventChoiceKind): number {
  const [least, greatest] = numberShape(column, column.values.length).range ?? [NaN, NaN];
  const value = kind === 'ramp' ? greatest / 4 - least / 4 : least / 2 + greatest / 2;
  return Number.isFinite(value) ? Number(value.toPrecision(2)) : 0;
}
