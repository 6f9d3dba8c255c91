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
 * The lowest plausible remainder in MW. Idle pumped storage draws some power (up to 14 MW in real data), so slightly negative values are
 * correct. A value below the limit means that one of the readings is wrong.
 */
export const minRemainder = -100;

/**
 * The minimum ratio of the fewest to the most hours among the combined columns of a row. A column of a month may lack seven of 744 hours,
 * which changes its mean by only a few MW. A column of a day may lack no hour.
 */
const minHoursRatio = 0.99;

/** Returns whether the frame has enough sources for a generation mix. */
export function hasMix(frame: Frame): boolean {
  return columnsWithValues(frame, [...dispatchableFields, ...windAndPvFields, grossImportsField]).length >= minSources;
}

/**
 * Returns the computed series of the generation mix: other renewables, unpublished generation, net import and total demand. If the mix is
 * complete, also total generation with and without imports. All series are in MW, with one value per row. Returns none if the frame has
 * no mix.
 */
export function getMixDerivedColumns(frame: Frame): readonly NumberColumn[] {
  if (!isChartable(frame) || !hasMix(frame)) return [];
  const { unpublished, renewables, imported, totalDemand, totals } = getMixColumns(frame);
  const candidates = [...renewables, unpublished, imported, totalDemand, ...totals];
  return candidates.filter(column => column?.field?.isDerived === true) as NumberColumn[];
}

/** The columns of a generation mix. A column is undefined if the frame lacks the columns for it. */
export interface MixColumns {
  readonly sources: readonly NumberColumn[];
  /** Total generation less all published sources, including implausible values. */
  readonly remainder: NumberColumn | undefined;
  /** The remainder without implausible values. */
  readonly unpublished: NumberColumn | undefined;
  readonly renewables: readonly NumberColumn[];
  readonly imported: NumberColumn | undefined;
  readonly residualDemand: NumberColumn | undefined;
  readonly totalDemand: NumberColumn | undefined;
  /** Total generation, and total generation with imports; empty if the mix is incomplete. */
  readonly totals: readonly NumberColumn[];
}

const columnsByFrame = new WeakMap<Frame, MixColumns>();

/** Returns the columns of the generation mix. They are cached for each frame, because users show and hide them repeatedly. */
export function getMixColumns(frame: Frame): MixColumns {
  const cached = columnsByFrame.get(frame);
  if (cached) return cached;
  const sources = columnsWithValues(frame, dispatchableFields);
  const published = columnsWithValues(frame, windAndPvFields);
  const [totalRenewable] = columnsWithValues(frame, [totalRenewableField]);
  const [residualDemand] = columnsWithValues(frame, [demandField]);
  const otherRenewable =
    totalRenewable && published.length === windAndPvFields.length
      ? createColumn(frame, [totalRenewable, ...published], subtractRest, 'otherRenewable')
      : undefined;
  const imported = computeNetImport(frame);
  const remainder =
    totalRenewable && sources.length === dispatchableFields.length
      ? computeRemainder(frame, totalRenewable, sources)
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

/** Creates the columns of total generation. As in the chart, a row has no value if any part has none. */
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
  return createColumn(frame, importsAndExports, subtractRest, 'netImport');
}

/**
 * Computes total generation less all published sources. Total generation is computed from the renewable share, which has few digits, so
 * it is less precise than a reading. The result is therefore rounded to whole MW, and is 0 if the difference is within that precision.
 */
function computeRemainder(
  frame: Frame,
  total: NumberColumn,
  sources: readonly NumberColumn[],
): NumberColumn | undefined {
  const [percent] = columnsWithValues(frame, [renewableShareField]);
  if (!percent) return undefined;
  const shareError = 0.5 / 10 ** getNumberShape(percent, frame.rowCount).decimals;
  const calculate = (values: Float64Array): number => {
    const [share = 0, renewable = 0] = values;
    const generated = computeTotalGeneration(renewable, share);
    let remaining = generated;
    for (let index = 1; index < values.length; index++) remaining -= values[index] ?? NaN;
    return Math.abs(remaining) <= (generated * shareError) / share ? 0 : Math.round(remaining) + 0;
  };
  return createColumn(frame, [percent, total, ...sources], calculate, 'unpublished');
}

/** Removes values below `minRemainder`. */
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

/** Subtracts all other values from the first one. */
function subtractRest(values: Float64Array): number {
  let remaining = values[0] ?? NaN;
  for (let index = 1; index < values.length; index++) remaining -= values[index] ?? NaN;
  return roundNoise(remaining);
}

/** Rounds to six decimals. Readings have at most three, so later digits are floating-point noise. */
export function roundNoise(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * Computes a column in MW row by row. A row has no value if any of the columns has none or the result is not a number. If the rows are
 * means over several hours, a row of the result has the fewest hours among its columns. It has no value if these are
 * less than `minHoursRatio` of the hours of another column.
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
      if (fewest < Math.max(...hoursInRow) * minHoursRatio) values[row] = NaN;
    }
    if (Number.isNaN(values[row])) gaps[row] = cellState.null;
  }
  const field = { label, unit: power, meaning, isDerived: true } as const;
  return { kind: 'number', name, path: [name], values, gaps, field, ...(hours && { hours }) };
}
