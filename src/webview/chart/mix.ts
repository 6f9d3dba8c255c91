import { t } from '@vscode/l10n';
import { numberShape } from '../../shared/formatNumber.ts';
import { demandField, renewableShareField, totalGeneration, totalRenewableField } from '../../shared/fields.ts';
import { cellState, stateAt, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { power } from '../../shared/units.ts';
import {
  columnsWithValues,
  dispatchable,
  grossImports,
  isChartable,
  windAndPv,
} from '../../core/frame/chartColumns.ts';

const leastMix = 3;
/** Names of columns that are worked out here: no field of a service begins so. */
const worked = {
  otherRenewable: '=other_renewable',
  unpublished: '=unpublished',
  netImport: '=net_import',
  demand: '=demand',
  generation: '=generation',
  generationAndImport: '=generation_and_import',
};

/**
 * MW. Pumped storage at rest takes some power from the grid (in real hours up to 14 MW), so a little below zero is right. Where more is
 * missing, a reading is wrong, and nobody knows which.
 */
export const leastRemainder = -100;

/** Of a month of 744 hours a column may lack seven, which move its mean by some MW, as the digits of the share do; of a day none. */
const leastShared = 0.99;

/** The generation mix of a frame. */
export interface Mix {
  /** The parts of the stack, bottom first. */
  readonly parts: readonly NumberColumn[];
  /** The part that is generated and not published by itself, among `parts`; hatched. */
  readonly unpublished: string | undefined;
  /** The same with the values below `leastRemainder`, which the part does not have. */
  readonly remainder: NumberColumn | undefined;
  /** The line over the stack: what was demanded of all that is in it. */
  readonly over: NumberColumn | undefined;
  /** What the sum of the parts shown is called. */
  readonly total: string;
  /** What is in the stack, and what is not. */
  readonly caption: string;
}

/** Whether enough sources are published one by one. */
export function hasMix(frame: Frame): boolean {
  return columnsWithValues(frame, [...dispatchable, ...windAndPv, grossImports]).length >= leastMix;
}

/**
 * The mix as far as the frame allows: the published sources; other renewables = total renewable − wind − PV; not published = total
 * generation (total renewable ÷ renewable share) − all of these; net import. Over them total demand = residual demand + total
 * renewable, or residual demand alone where no renewable part is shown. All MW, one value a row. `hidden`: parts that are switched off.
 */
export function mixOf(frame: Frame, hidden: readonly string[]): Mix {
  const { sources, remainder, rest, renewables, imported, residualDemand, totalDemand } = mixColumns(frame);
  const parts = [...sources, ...(rest ? [rest] : []), ...renewables, ...(imported ? [imported] : [])];
  const isShown = ({ name }: NumberColumn): boolean => !hidden.includes(name);
  // Residual demand over renewables would read as a shortfall of as much.
  const over = renewables.some(isShown) ? totalDemand : residualDemand;
  // Wind or PV without values leaves the renewable part short, and nothing else is known of it.
  const isWhole = rest !== undefined && renewables.length > windAndPv.length && parts.every(isShown);
  return {
    parts,
    unpublished: rest?.name,
    remainder,
    over,
    total: isWhole ? totalName(imported?.name) : t('Sum of the values shown'),
    caption: captionOf(
      rest !== undefined,
      renewables.some(({ name }) => name === worked.otherRenewable),
      over && (over === totalDemand ? 'total' : 'residual'),
    ),
  };
}

/**
 * The series of the mix that are in no response: other renewables, not published, net import, total demand and, where the mix is whole,
 * total generation without and with imports. All MW, one value a row; none where the frame has no mix.
 */
export function derivedColumns(frame: Frame): readonly NumberColumn[] {
  if (!isChartable(frame) || !hasMix(frame)) return [];
  const { rest, renewables, imported, totalDemand, totals } = mixColumns(frame);
  const all = [...renewables, rest, imported, totalDemand, ...totals];
  return all.filter(column => column?.field?.isDerived === true) as NumberColumn[];
}

/** All columns that a mix of the frame may have. */
interface MixColumns {
  readonly sources: readonly NumberColumn[];
  readonly remainder: NumberColumn | undefined;
  readonly rest: NumberColumn | undefined;
  readonly renewables: readonly NumberColumn[];
  readonly imported: NumberColumn | undefined;
  readonly residualDemand: NumberColumn | undefined;
  readonly totalDemand: NumberColumn | undefined;
  /** Total generation, and with the imports; none where the mix is not whole. */
  readonly totals: readonly NumberColumn[];
}

const made = new WeakMap<Frame, MixColumns>();

/** Worked out once: parts are switched on and off again and again. */
function mixColumns(frame: Frame): MixColumns {
  const before = made.get(frame);
  if (before) return before;
  const sources = columnsWithValues(frame, dispatchable);
  const known = columnsWithValues(frame, windAndPv);
  const [total] = columnsWithValues(frame, [totalRenewableField]);
  const [residualDemand] = columnsWithValues(frame, [demandField]);
  const aboutOther = {
    name: worked.otherRenewable,
    label: t('Other renewables'),
    meaning: t('Total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.'),
  };
  const other =
    total && known.length === windAndPv.length
      ? makeColumn(frame, [total, ...known], lessTheOthers, aboutOther)
      : undefined;
  const imported = netImport(frame);
  const remainder = total && sources.length === dispatchable.length ? remainderOf(frame, total, sources) : undefined;
  const rest = remainder && withoutContradictions(remainder);
  const demand = {
    name: worked.demand,
    label: t('Total demand'),
    meaning: t('Residual demand plus total renewable. Shed load is in it.'),
  };
  const columns = {
    sources,
    remainder,
    rest,
    residualDemand,
    imported,
    renewables: [...known, ...(other ? [other] : [])],
    totalDemand: residualDemand && total && makeColumn(frame, [residualDemand, total], sumOf, demand),
    totals: rest && other ? totalsOf(frame, [...sources, rest, ...known, other], imported) : [],
  };
  made.set(frame, columns);
  return columns;
}

/** As the chart adds up what it shows: without a value where a part has none. */
function totalsOf(frame: Frame, parts: readonly NumberColumn[], imported: NumberColumn | undefined): NumberColumn[] {
  const generation = {
    name: worked.generation,
    label: totalName(undefined),
    meaning: t('All sources of the generation mix together, with what is not published by itself.'),
  };
  const made = [makeColumn(frame, parts, sumOf, generation)];
  if (!imported) return made;
  const both = {
    name: worked.generationAndImport,
    label: totalName(imported.name),
    meaning:
      imported.name === grossImports
        ? t('Total generation plus imports; exports are not known.')
        : t('Total generation plus imports, less exports.'),
  };
  return [...made, makeColumn(frame, [...parts, imported], sumOf, both)];
}

/** Of all sources together, and of the column with the imports. */
function totalName(imports: string | undefined): string {
  if (imports === undefined) return t('Total generation');
  return imports === grossImports ? t('Total generation and imports') : t('Total generation and net import');
}

function captionOf(isWhole: boolean, hasOther: boolean, over: 'total' | 'residual' | undefined): string {
  const inIt = isWhole
    ? t(
        'Not published (hatched) is total generation, as total renewable ÷ renewable share, less the other sources; it is known to some MW only, as the share has few digits.',
      )
    : t(
        'Only what is published source by source: pumped storage and gas turbines of independent producers are not in it.',
      );
  const other = hasOther
    ? t('Other renewables is total renewable less wind and PV: concentrated solar, biomass, landfill gas and others.')
    : '';
  const lines = {
    total: t(
      'Total demand is residual demand plus total renewable. Shed load is in it, so it may lie above what was generated.',
    ),
    residual: t('Residual demand is what is left to sources that are not renewable. Shed load is in it.'),
  };
  return [inIt, other, over ? lines[over] : ''].filter(Boolean).join(' ');
}

function netImport(frame: Frame): NumberColumn | undefined {
  const [net] = columnsWithValues(frame, ['net_import_mw']);
  if (net) return net;
  const both = columnsWithValues(frame, [grossImports, 'exports_mw']);
  if (both.length < 2) return both.find(({ name }) => name === grossImports);
  const about = { name: worked.netImport, label: t('Net import'), meaning: t('Imports minus exports') };
  return makeColumn(frame, both, lessTheOthers, about);
}

/**
 * Total generation less what is published. The share has few digits, and what they leave open of the total is more than the digits
 * of a reading: whole MW, and 0 where the difference is no larger than that.
 */
function remainderOf(frame: Frame, total: NumberColumn, sources: readonly NumberColumn[]): NumberColumn | undefined {
  const [percent] = columnsWithValues(frame, [renewableShareField]);
  if (!percent) return undefined;
  const half = 0.5 / 10 ** numberShape(percent, frame.rowCount).decimals;
  const about = {
    name: worked.unpublished,
    label: t('Not published'),
    meaning: t(
      'Total generation (total renewable ÷ renewable share) less all other sources, to some MW: pumped storage, gas turbines of independent producers. Somewhat below zero where storage at rest takes power; no value where a reading is wrong.',
    ),
  };
  const rest = (values: Float64Array): number => {
    const [share = 0, renewable = 0] = values;
    const generated = totalGeneration(renewable, share);
    let left = generated;
    for (let at = 1; at < values.length; at++) left -= values[at] ?? NaN;
    return Math.abs(left) <= (generated * half) / share ? 0 : Math.round(left) + 0;
  };
  return makeColumn(frame, [percent, total, ...sources], rest, about);
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

/** Readings have up to three decimals, which doubles do not hold: differences of them have none beyond these. */
export function withoutNoise(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}

/**
 * A column of MW made row by row; without a value where any of the columns has none, or the result is no number. Means of days or months
 * count for the hours that have a value: where one has less than `leastShared` of the hours of another, nothing is made of them, or else it
 * counts for the hours of the one with the fewest.
 */
function makeColumn(
  frame: Frame,
  columns: readonly NumberColumn[],
  make: (values: Float64Array) => number,
  about: { readonly name: string; readonly label: string; readonly meaning: string },
): NumberColumn {
  const { name, label, meaning } = about;
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
