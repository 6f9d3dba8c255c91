import { getNumberShape } from '../../shared/formatNumber.ts';
import { demandField, renewableShareField, computeTotalGeneration, totalRenewableField } from '../../shared/fields.ts';
import { cellState, getCellState, type FieldInfo, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { power } from '../../shared/units.ts';
import {
  columnsWithValues,
  dispatchableFields,
  grossImportsField,
  isChartable,
  windAndPvFields,
} from './chartColumns.ts';

const minSources = 3;
/** Names of the computed columns. No field of a service begins with '='. */
export const mixColumnNames = {
  otherRenewable: '=other_renewable',
  unpublished: '=unpublished',
  netImport: '=net_import',
  demand: '=demand',
  generation: '=generation',
  generationAndImport: '=generation_and_import',
} as const;

/** Labels and meanings of the computed columns. */
export const mixFieldTexts = {
  otherRenewable: {
    label: 'Other renewables',
    meaning: 'Total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.',
  },
  unpublished: {
    label: 'Not published',
    meaning:
      'Total generation (total renewable ÷ renewable share) less all other sources, accurate to a few MW: pumped storage and gas turbines of independent producers. Slightly below zero when idle storage draws power; no value if a reading is wrong.',
  },
  netImport: { label: 'Net import', meaning: 'Imports minus exports' },
  demand: { label: 'Total demand', meaning: 'Residual demand plus total renewable. It includes shed load.' },
  generation: {
    label: 'Total generation',
    meaning: 'The sum of all sources in the generation mix, including unpublished ones.',
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
export const minRemainder = -100;

/**
 * Minimum ratio of the hours of two combined columns. A column may lack seven of the 744 hours of a month, which changes its mean by a
 * few MW, no more than the rounding of the share does. It may lack no hour of a day.
 */
const minSharedHours = 0.99;

/** Whether enough sources are published individually. */
export function hasMix(frame: Frame): boolean {
  return columnsWithValues(frame, [...dispatchableFields, ...windAndPvFields, grossImportsField]).length >= minSources;
}

/**
 * Returns the series of the generation mix that no response contains: other renewables, unpublished generation, net import, total demand
 * and, if the mix is complete, total generation with and without imports. All are in MW with one value per row. Empty if the frame has
 * no mix.
 */
export function getMixDerivedColumns(frame: Frame): readonly NumberColumn[] {
  if (!isChartable(frame) || !hasMix(frame)) return [];
  const { unpublished, renewables, imported, totalDemand, totals } = getMixColumns(frame);
  const mixColumnList = [...renewables, unpublished, imported, totalDemand, ...totals];
  return mixColumnList.filter(column => column?.field?.isDerived === true) as NumberColumn[];
}

/** All columns that the generation mix of a frame may have. */
export interface MixColumns {
  readonly sources: readonly NumberColumn[];
  readonly remainder: NumberColumn | undefined;
  readonly unpublished: NumberColumn | undefined;
  readonly renewables: readonly NumberColumn[];
  readonly imported: NumberColumn | undefined;
  readonly residualDemand: NumberColumn | undefined;
  readonly totalDemand: NumberColumn | undefined;
  /** Total generation, and total generation with imports; empty if the mix is incomplete. */
  readonly totals: readonly NumberColumn[];
}

const columnsByFrame = new WeakMap<Frame, MixColumns>();

/** Returns the columns of the generation mix. Cached, because users switch the parts on and off repeatedly. */
export function getMixColumns(frame: Frame): MixColumns {
  const cached = columnsByFrame.get(frame);
  if (cached) return cached;
  const sources = columnsWithValues(frame, dispatchableFields);
  const published = columnsWithValues(frame, windAndPvFields);
  const [totalRenewable] = columnsWithValues(frame, [totalRenewableField]);
  const [residualDemand] = columnsWithValues(frame, [demandField]);
  const otherRenewable =
    totalRenewable && published.length === windAndPvFields.length
      ? createColumn(frame, [totalRenewable, ...published], subtractOthers, 'otherRenewable')
      : undefined;
  const imported = computeNetImport(frame);
  const remainder =
    totalRenewable && sources.length === dispatchableFields.length
      ? calculateRemainder(frame, totalRenewable, sources)
      : undefined;
  const unpublished = remainder && removeImplausible(remainder);
  const columns: MixColumns = {
    sources,
    remainder,
    unpublished,
    residualDemand,
    imported,
    renewables: [...published, ...(otherRenewable ? [otherRenewable] : [])],
    totalDemand:
      residualDemand && totalRenewable && createColumn(frame, [residualDemand, totalRenewable], addUp, 'demand'),
    totals:
      unpublished && otherRenewable
        ? createTotals(frame, [...sources, unpublished, ...published, otherRenewable], imported)
        : [],
  };
  columnsByFrame.set(frame, columns);
  return columns;
}

/** Adds up the parts as the chart does: a row has no value if any part has none. */
function createTotals(
  frame: Frame,
  parts: readonly NumberColumn[],
  imported: NumberColumn | undefined,
): NumberColumn[] {
  const totals = [createColumn(frame, parts, addUp, 'generation')];
  if (!imported) return totals;
  const texts =
    imported.name === grossImportsField ? mixFieldTexts.generationAndGrossImport : mixFieldTexts.generationAndImport;
  return [...totals, createColumn(frame, [...parts, imported], addUp, 'generationAndImport', texts)];
}

function computeNetImport(frame: Frame): NumberColumn | undefined {
  const [publishedNet] = columnsWithValues(frame, ['net_import_mw']);
  if (publishedNet) return publishedNet;
  const importsAndExports = columnsWithValues(frame, [grossImportsField, 'exports_mw']);
  if (importsAndExports.length < 2) return importsAndExports.find(({ name }) => name === grossImportsField);
  return createColumn(frame, importsAndExports, subtractOthers, 'netImport');
}

/**
 * Computes total generation less all published sources. The renewable share has few digits, so the total is less precise than a reading:
 * the result is rounded to whole MW, and is 0 if the difference is within that precision.
 */
function calculateRemainder(
  frame: Frame,
  total: NumberColumn,
  sources: readonly NumberColumn[],
): NumberColumn | undefined {
  const [percent] = columnsWithValues(frame, [renewableShareField]);
  if (!percent) return undefined;
  const halfDigit = 0.5 / 10 ** getNumberShape(percent, frame.rowCount).decimals;
  const calculate = (values: Float64Array): number => {
    const [share = 0, renewable = 0] = values;
    const generated = computeTotalGeneration(renewable, share);
    let remaining = generated;
    for (let index = 1; index < values.length; index++) remaining -= values[index] ?? NaN;
    return Math.abs(remaining) <= (generated * halfDigit) / share ? 0 : Math.round(remaining) + 0;
  };
  return createColumn(frame, [percent, total, ...sources], calculate, 'unpublished');
}

function removeImplausible(column: NumberColumn): NumberColumn {
  const gaps = column.gaps?.slice();
  for (let row = 0; gaps && row < gaps.length; row++)
    if ((column.values[row] ?? 0) < minRemainder) gaps[row] = cellState.null;
  return { ...column, ...(gaps && { gaps }) };
}

function addUp(values: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index] ?? NaN;
  return roundNoise(sum);
}

function subtractOthers(values: Float64Array): number {
  let remaining = values[0] ?? NaN;
  for (let index = 1; index < values.length; index++) remaining -= values[index] ?? NaN;
  return roundNoise(remaining);
}

/** Rounds to six decimals. Readings have at most three, but differences of doubles add noise beyond these. */
export function roundNoise(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * Computes a column in MW row by row. A row has no value if any of the columns has none or the result is not a number. Means of days or
 * months count for the hours that have a value: the result counts for the fewest hours of its columns, and has no value if these are
 * less than `minSharedHours` of the hours of another column.
 */
function createColumn(
  frame: Frame,
  columns: readonly NumberColumn[],
  calculate: (values: Float64Array) => number,
  key: keyof typeof mixColumnNames,
  { label, meaning }: FieldInfo = mixFieldTexts[key],
): NumberColumn {
  const name = mixColumnNames[key];
  const values = new Float64Array(frame.rowCount);
  const gaps = new Uint8Array(frame.rowCount);
  const allHours = columns.flatMap(column => column.hours ?? []);
  const hours = allHours[0]?.slice();
  const rowValues = new Float64Array(columns.length);
  for (let row = 0; row < frame.rowCount; row++) {
    let isKnown = true;
    for (let index = 0; isKnown && index < columns.length; index++) {
      const column = columns[index] as NumberColumn;
      rowValues[index] = column.values[row] ?? NaN;
      isKnown = getCellState(column, row) === cellState.value;
    }
    values[row] = isKnown ? calculate(rowValues) : NaN;
    if (hours) {
      const hoursInRow = allHours.map(columnHours => columnHours[row] ?? 0);
      const fewest = Math.min(...hoursInRow);
      hours[row] = fewest;
      if (fewest < Math.max(...hoursInRow) * minSharedHours) values[row] = NaN;
    }
    if (Number.isNaN(values[row])) gaps[row] = cellState.null;
  }
  const field = { label, unit: power, meaning, isDerived: true } as const;
  return { kind: 'number', name, path: [name], values, gaps, field, ...(hours && { hours }) };
}
