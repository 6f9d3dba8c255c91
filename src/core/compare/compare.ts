import {
  cellState,
  stateAt,
  type Column,
  type FieldInfo,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { fieldInWords } from '../bins/binSums.ts';
import { partnerOf, type Pairing } from './align.ts';
import { differenceOf, isHourCount, share, type Unit } from '../../shared/units.ts';

export interface CompareOptions extends Pairing {
  /** What the other range is, for the labels: "previous period". */
  readonly comparedWith: string;
  /** A text of `comparedTexts` or of the catalogue in the person's language, {0} and so on filled in. */
  readonly say: (text: string, ...parts: string[]) => string;
}

/** Labels and meanings of the columns that a comparison adds. */
export const comparedTexts = {
  label: '{0}, {1}',
  timeMeaning: 'The matching time in the {0}',
  comparedMeaning: '{0}, in the {1}',
  difference: '{0}, difference',
  differenceMeaning: '{0} minus that of the {1}',
  change: '{0}, change',
  changeMeaning: "{0} minus that of the {1}, in percent of the latter's size",
} as const;

const comparedSuffix = 'compared';

/** The instants that the rows of a comparison stand beside; undefined in any other frame. */
export function comparedTimeOf(frame: Frame): TimeColumn | undefined {
  const time = timeColumnOf(frame);
  return frame.columns.find(
    (column): column is TimeColumn =>
      column.kind === 'time' && time !== undefined && column.name.startsWith(ownName(time.name, comparedSuffix)),
  );
}

/**
 * The times that the values of a column are of: in a comparison, of what it adds to the columns of the base, those that it is compared with.
 * There an hour may come twice, where clocks go back in one of the periods alone.
 */
export function timesOfColumn(frame: Frame, { name }: Column): TimeColumn | undefined {
  return (
    (/ · (?:compared|difference|percent)(?: \d+)?$/.test(name) ? comparedTimeOf(frame) : undefined) ??
    timeColumnOf(frame)
  );
}

/** Where no row stands beside one of the base. */
const noRow = -1;

/**
 * The rows of the base, each beside the row of the other frame that `options` pairs with it. First the base's time and
 * the instant it is compared with (absent without partner in the other range), then each column of the base; a number
 * that both frames have (by its JSON path) is followed by the compared value, the difference (base −
 * compared) and the difference in percent of the size of the compared value. A missing side leaves these missing: null
 * stays null, no partner is absent; percent of 0 is null. Of several rows of one instant the other frame's first counts.
 */
export function compareFrames(base: Frame, other: Frame, options: CompareOptions): Frame {
  const time = timeColumnOf(base);
  const partners = partnersOf(base, options);
  const rows = rowsBeside(partners, other);
  const taken = new Set(base.columns.map(({ name }) => name));
  const others = new Map(other.columns.map(column => [JSON.stringify(column.path), column]));
  const times = time ? [time, comparedTime(time, partners, options, taken)] : [];
  const rest = base.columns.flatMap((column): Column[] => {
    if (column === time) return [];
    const compared = others.get(JSON.stringify(column.path));
    if (column.kind !== 'number' || compared?.kind !== 'number') return [column];
    return [column, ...comparedNumbers(column, compared, rows, options, taken)];
  });
  return { rowCount: base.rowCount, columns: [...times, ...rest] };
}

/** For each row of the base the instant it is compared with; NaN for none. */
function partnersOf(base: Frame, options: CompareOptions): Float64Array {
  const time = timeColumnOf(base);
  const partner = partnerOf(options);
  return Float64Array.from({ length: base.rowCount }, (_, row) => {
    const ms = time && stateAt(time, row) === cellState.value ? time.values[row] : undefined;
    return (ms === undefined ? undefined : partner(ms)) ?? NaN;
  });
}

function rowsBeside(partners: Float64Array, other: Frame): Int32Array {
  const time = timeColumnOf(other);
  const rowAt = new Map<number, number>();
  time?.values.forEach((ms, row) => {
    if (stateAt(time, row) === cellState.value && !rowAt.has(ms)) rowAt.set(ms, row);
  });
  return Int32Array.from(partners, ms => rowAt.get(ms) ?? noRow);
}

function comparedTime(time: Column, partners: Float64Array, options: CompareOptions, taken: Set<string>): Column {
  const { comparedWith, say } = options;
  const label = say(comparedTexts.label, time.field ? say(time.field.label) : time.name, comparedWith);
  const field = { label, meaning: say(comparedTexts.timeMeaning, comparedWith) };
  const days = time.kind === 'time' && time.days && { days: time.days };
  const gaps = Uint8Array.from(partners, ms => (Number.isNaN(ms) ? cellState.absent : cellState.value));
  return { kind: 'time', ...newColumn(time.name, comparedSuffix, field, gaps, taken), values: partners, ...days };
}

function comparedNumbers(
  base: NumberColumn,
  other: NumberColumn,
  rows: Int32Array,
  { comparedWith, say }: CompareOptions,
  taken: Set<string>,
): NumberColumn[] {
  const compared = new Float64Array(rows.length).fill(NaN);
  const comparedGaps = new Uint8Array(rows.length).fill(cellState.absent);
  const bothGaps = new Uint8Array(rows.length).fill(cellState.absent);
  for (let row = 0; row < rows.length; row++) {
    const beside = rows[row] ?? noRow;
    if (beside === noRow) continue;
    compared[row] = other.values[beside] ?? NaN;
    const state = (comparedGaps[row] = stateAt(other, beside));
    bothGaps[row] = Math.max(state, stateAt(base, row));
  }
  const { unit } = base.field ?? {};
  const field = base.field && fieldInWords(base.field, (text, ...parts) => (text === '' ? '' : say(text, ...parts)));
  const label = field?.label ?? base.name;
  const meaning = field?.meaning || label;
  const comparedHours = other.hours && Float64Array.from(rows, beside => other.hours?.[beside] ?? NaN);
  const sameHours = comparedHours?.every((hours, row) => Number.isNaN(hours) || hours === base.hours?.[row]);
  const make = (
    suffix: string,
    field: Omit<FieldInfo, 'unit'>,
    unit: Unit | undefined,
    gaps: Uint8Array,
    valueOf: (row: number) => number,
    hours?: Float64Array,
  ): NumberColumn => {
    const values = new Float64Array(rows.length).fill(NaN);
    const states = gaps.slice();
    for (let row = 0; row < rows.length; row++) {
      if (states[row] !== cellState.value) continue;
      const value = (values[row] = valueOf(row));
      if (!Number.isFinite(value)) states[row] = cellState.null;
    }
    const info = { ...field, ...(unit && { unit }) };
    return { kind: 'number', ...newColumn(base.name, suffix, info, states, taken), values, ...(hours && { hours }) };
  };
  const [of, at] = [(row: number): number => base.values[row] ?? NaN, (row: number): number => compared[row] ?? NaN];
  const beside = make(
    comparedSuffix,
    {
      label: say(comparedTexts.label, label, comparedWith),
      meaning: say(comparedTexts.comparedMeaning, meaning, comparedWith),
    },
    unit,
    comparedGaps,
    at,
    comparedHours,
  );
  // How many hours a day has is there to be read, not to be reckoned with.
  if (unit && isHourCount(unit)) return [beside];
  return [
    beside,
    make(
      'difference',
      {
        label: say(comparedTexts.difference, label),
        meaning: say(comparedTexts.differenceMeaning, label, comparedWith),
      },
      unit && differenceOf(sameHours === false ? withoutEnergy(unit) : unit),
      bothGaps,
      row => difference(of(row), at(row)),
      sameHours === false ? undefined : comparedHours,
    ),
    make(
      'percent',
      { label: say(comparedTexts.change, label), meaning: say(comparedTexts.changeMeaning, label, comparedWith) },
      share,
      bothGaps,
      row => percent(of(row), at(row)),
    ),
  ];
}

/** Means over unlike hours: their difference lasts neither as long as one nor as the other. Without energy, a unit stays what it is. */
function withoutEnergy(unit: Unit): Unit {
  const { mwhPerHour, ...others } = unit;
  return mwhPerHour === undefined ? unit : { ...others, unlikeHours: true };
}

function ownName(name: string, suffix: string): string {
  return `${name} · ${suffix}`;
}

/** A name that no other column has. Such a column is in no record of the service: its path is its name. */
function newColumn(
  name: string,
  suffix: string,
  field: FieldInfo,
  gaps: Uint8Array,
  taken: Set<string>,
): { name: string; path: [string]; field: FieldInfo; gaps?: Uint8Array } {
  let full = ownName(name, suffix);
  for (let count = 2; taken.has(full); count++) full = `${ownName(name, suffix)} ${count}`;
  taken.add(full);
  return { name: full, path: [full], field, ...(gaps.some(state => state !== cellState.value) && { gaps }) };
}

/** Digits that a double surely holds. */
const sureDigits = 15;

/**
 * a − b without the noise of binary fractions (23581.8 − 23420.1 is 161.7): rounded to the last of the 15 digits that the
 * larger of the two surely has. Not finite where the difference is larger than any number.
 */
function difference(a: number, b: number): number {
  const exact = a - b;
  const size = Math.max(Math.abs(a), Math.abs(b));
  // A difference of 0 has no sign, also where one of the two is -0.
  if (exact === 0 || !Number.isFinite(exact)) return exact + 0;
  const decimals = sureDigits - 1 - Math.floor(Math.log10(size));
  // Powers of ten beyond these are no exact numbers, and there is nothing to round in integers.
  if (decimals < 1 || decimals > 22) return exact;
  const scale = 10 ** decimals;
  return Math.round(exact * scale) / scale + 0;
}

/** (a − b) in percent of the size of b. Not finite for b = 0. */
function percent(a: number, b: number): number {
  return b === 0 ? NaN : (difference(a, b) / Math.abs(b)) * 100;
}
