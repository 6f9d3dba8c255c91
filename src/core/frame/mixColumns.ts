import { numberShape } from '../../shared/formatNumber.ts';
import { demandField, renewableShareField, totalGeneration, totalRenewableField } from '../../shared/fields.ts';
import { cellState, stateAt, type FieldInfo, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { power } from '../../shared/units.ts';
import { columnsWithValues, dispatchable, grossImports, isChartable, windAndPv } from './chartColumns.ts';

const leastMix = 3;
/** Names of the computed columns. No field of a service begins with '='. */
export const mixNames = {
  otherRenewable: '=other_renewable',
  unpublished: '=unpublished',
  netImport: '=net_import',
  demand: '=demand',
  generation: '=generation',
  generationAndImport: '=generation_and_import',
} as const;

/** Labels and meanings of the computed columns. */
export const mixTexts = {
  otherRenewable: {
    label: 'Other renewables',
    meaning: 'Total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.',
  },
  unpublished: {
    label: 'Not published',
    meaning:
      'Total generation (total renewable ÷ renewable share) less all other sources, to some MW: pumped storage, gas turbines of independent producers. Somewhat below zero where storage at rest takes power; no value where a reading is wrong.',
  },
  netImport: { label: 'Net import', meaning: 'Imports minus exports' },
  demand: { label: 'Total demand', meaning: 'Residual demand plus total renewable. Shed load is in it.' },
  generation: {
    label: 'Total generation',
    meaning: 'All sources of the generation mix together, with what is not published by itself.',
  },
  generationAndImport: {
    label: 'Total generation and net import',
    meaning: 'Total generation plus imports, less exports.',
  },
  generationAndGrossImport: {
    label: 'Total generation and imports',
    meaning: 'Total generation plus imports; exports are not known.',
  },
} as const satisfies Record<string, FieldInfo>;

/**
 * Lowest plausible remainder in MW. Idle pumped storage draws some power (up to 14 MW in real hours), so slightly negative values are
 * right. A lower value means that a reading is wrong, without telling which one.
 */
export const leastRemainder = -100;

/**
 * Minimum ratio of the hours of two combined columns. A column may lack seven of the 744 hours of a month, which changes its mean by a
 * few MW, no more than the rounding of the share does. It may lack no hour of a day.
 */
const leastShared = 0.99;

/** Whether enough sources are published individually. */
export function hasMix(frame: Frame): boolean {
  return columnsWithValues(frame, [...dispatchable, ...windAndPv, grossImports]).length >= leastMix;
}

/**
 * Returns the series of the generation mix that no response contains: other renewables, unpublished generation, net import, total demand
 * and, if the mix is complete, total generation with and without imports. All are in MW with one value per row. Empty if the frame has
 * no mix.
 */
export function derivedColumns(frame: Frame): readonly NumberColumn[] {
  if (!isChartable(frame) || !hasMix(frame)) return [];
  const { rest, renewables, imported, totalDemand, totals } = mixColumns(frame);
  const all = [...renewables, rest, imported, totalDemand, ...totals];
  return all.filter(column => column?.field?.isDerived === true) as NumberColumn[];
}

/** All columns that the generation mix of a frame may have. */
export interface MixColumns {
  readonly sources: readonly NumberColumn[];
  readonly remainder: NumberColumn | undefined;
  readonly rest: NumberColumn | undefined;
  readonly renewables: readonly NumberColumn[];
  readonly imported: NumberColumn | undefined;
  readonly residualDemand: NumberColumn | undefined;
  readonly totalDemand: NumberColumn | undefined;
  /** Total generation, and total generation with imports; empty if the mix is incomplete. */
  readonly totals: readonly NumberColumn[];
}

const made = new WeakMap<Frame, MixColumns>();

/** Returns the columns of the generation mix. Cached, because users switch the parts on and off repeatedly. */
export function mixColumns(frame: Frame): MixColumns {
  const before = made.get(frame);
  if (before) return before;
  const sources = columnsWithValues(frame, dispatchable);
  const known = columnsWithValues(frame, windAndPv);
  const [total] = columnsWithValues(frame, [totalRenewableField]);
  const [residualDemand] = columnsWithValues(frame, [demandField]);
  const other =
    total && known.length === windAndPv.length
      ? makeColumn(frame, [total, ...known], lessTheOthers, 'otherRenewable')
      : undefined;
  const imported = netImport(frame);
  const remainder = total && sources.length === dispatchable.length ? remainderOf(frame, total, sources) : undefined;
  const rest = remainder && withoutContradictions(remainder);
  const columns: MixColumns = {
    sources,
    remainder,
    rest,
    residualDemand,
    imported,
    renewables: [...known, ...(other ? [other] : [])],
    totalDemand: residualDemand && total && makeColumn(frame, [residualDemand, total], sumOf, 'demand'),
    totals: rest && other ? totalsOf(frame, [...sources, rest, ...known, other], imported) : [],
  };
  made.set(frame, columns);
  return columns;
}

/** Adds up the parts as the chart does: a row has no value if any part has none. */
function totalsOf(frame: Frame, parts: readonly NumberColumn[], imported: NumberColumn | undefined): NumberColumn[] {
  const made = [makeColumn(frame, parts, sumOf, 'generation')];
  if (!imported) return made;
  const texts = imported.name === grossImports ? mixTexts.generationAndGrossImport : mixTexts.generationAndImport;
  return [...made, makeColumn(frame, [...parts, imported], sumOf, 'generationAndImport', texts)];
}

function netImport(frame: Frame): NumberColumn | undefined {
  const [net] = columnsWithValues(frame, ['net_import_mw']);
  if (net) return net;
  const both = columnsWithValues(frame, [grossImports, 'exports_mw']);
  if (both.length < 2) return both.find(({ name }) => name === grossImports);
  return makeColumn(frame, both, lessTheOthers, 'netImport');
}

/**
 * Computes total generation less all published sources. The renewable share has few digits, so the total is less precise than a reading:
 * the result is rounded to whole MW, and is 0 if the difference is within that precision.
 */
function remainderOf(frame: Frame, total: NumberColumn, sources: readonly NumberColumn[]): NumberColumn | undefined {
  const [percent] = columnsWithValues(frame, [renewableShareField]);
  if (!percent) return undefined;
  const half = 0.5 / 10 ** numberShape(percent, frame.rowCount).decimals;
  const rest = (values: Float64Array): number => {
    const [share = 0, renewable = 0] = values;
    const generated = totalGeneration(renewable, share);
    let left = generated;
    for (let at = 1; at < values.length; at++) left -= values[at] ?? NaN;
    return Math.abs(left) <= (generated * half) / share ? 0 : Math.round(left) + 0;
  };
  return makeColumn(frame, [percent, total, ...sources], rest, 'unpublished');
}

function withoutContradictions(column: NumberColumn): NumberColumn {
  const gaps = column.gaps?.slice();
  for (let row = 0; gaps && row < gaps.length; row++)
    if ((column.values[row] ?? 0) < leastRemainder) gaps[row] = cellState.null;
  return { ...column, ...(gaps && { gaps }) };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ?? NaN;
  return withoutNoise(sum);
}

function lessTheOthers(values: Float64Array): number {
  let left = values[0] ?? NaN;
  for (let at = 1; at < values.length; at++) left -= values[at] ?? NaN;
  return withoutNoise(left);
}

/** Rounds to six decimals. Readings have at most three, but differences of doubles add noise beyond these. */
export function withoutNoise(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * Computes a column in MW row by row. A row has no value if any of the columns has none or the result is not a number. Means of days or
 * months count for the hours that have a value: the result counts for the fewest hours of its columns, and has no value if these are
 * less than `minSharedHours` of the hours of another column.
 */
function makeColumn(
  frame: Frame,
  columns: readonly NumberColumn[],
  make: (values: Float64Array) => number,
  of: keyof typeof mixNames,
  { label, meaning }: FieldInfo = mixTexts[of],
): NumberColumn {
  const name = mixNames[of];
  const values = new Float64Array(frame.rowCount);
  const gaps = new Uint8Array(frame.rowCount);
  const allHours = columns.flatMap(column => column.hours ?? []);
  const hours = allHours[0]?.slice();
  const given = new Float64Array(columns.length);
  for (let row = 0; row < frame.rowCount; row++) {
    let isKnown = true;
    for (let at = 0; isKnown && at < columns.length; at++) {
      const column = columns[at] as NumberColumn;
      given[at] = column.values[row] ?? NaN;
      isKnown = stateAt(column, row) === cellState.value;
    }
    values[row] = isKnown ? make(given) : NaN;
    if (hours) {
      const ofRow = allHours.map(own => own[row] ?? 0);
      const fewest = Math.min(...ofRow);
      hours[row] = fewest;
      if (fewest < Math.max(...ofRow) * leastShared) values[row] = NaN;
    }
    if (Number.isNaN(values[row])) gaps[row] = cellState.null;
  }
  const field = { label, unit: power, meaning, isDerived: true } as const;
  return { kind: 'number', name, path: [name], values, gaps, field, ...(hours && { hours }) };
}
