/** The kinds of quantity. The kind determines how many digits of a number are displayed. */
export const unitKinds = ['power', 'energy', 'money', 'mass', 'rate', 'share', 'index', 'none'] as const;
export type UnitKind = (typeof unitKinds)[number];

/** The unit of a field. It determines how the numbers are formatted and aggregated. */
export interface Unit {
  readonly kind: UnitKind;
  /** The symbol after a number, such as "MW". Empty for an index. */
  readonly text: string;
  /**
   * The energy in MWh of a value of 1 over an hour. Undefined if no energy can be computed: for units other than power, and for power that is
   * not a mean over its interval, such as a maximum or a change since the hour before.
   */
  readonly mwhPerHour?: number;
  /** Whether values are differences of two values, which are never added to other values. */
  readonly difference?: true;
  /** Whether values are differences of means over different numbers of hours, which have no energy. */
  readonly unlikeHours?: true;
  /** Whether values cover hours that other rows cover too, such as sums of the last 24 hours. Such values are never added up. */
  readonly overlaps?: true;
}

/** Mean power over the interval. */
export const power: Unit = { kind: 'power', text: 'MW', mwhPerHour: 1 };
/** The difference of two mean powers. Its energy is the difference of their energies. */
export const powerDifference: Unit = { ...power, difference: true };
/** Power that is not a mean over its interval: a maximum, a minimum, or a change. It has no energy. */
export const powerExtreme: Unit = { kind: 'power', text: 'MW' };
export const energy: Unit = { kind: 'energy', text: 'MWh' };
/** South African rand. */
export const money: Unit = { kind: 'money', text: 'R' };
export const mass: Unit = { kind: 'mass', text: 't' };
export const moneyRate: Unit = { kind: 'rate', text: 'R/MWh' };
export const massRate: Unit = { kind: 'rate', text: 't/MWh' };
export const share: Unit = { kind: 'share', text: '%' };
/** The difference of two energies in percent of the second. It is aggregated from the energies, never averaged. */
export const energyChange: Unit = { ...share, difference: true };
/** Percentage points: the difference of two shares. */
const shareDifference: Unit = { kind: 'share', text: 'pp', difference: true };
export const index: Unit = { kind: 'index', text: '' };
/** A number of hours. */
export const hourCount: Unit = { kind: 'none', text: 'h' };
const none: Unit = { kind: 'none', text: '' };

/** Whether values are numbers of hours. Such a column describes the other columns and is not plotted. */
export function isHourCount({ text }: Unit): boolean {
  return text === hourCount.text;
}

/** Whether values are amounts of their rows, which add up. */
export function isAmount({ kind }: Unit): boolean {
  return kind === 'energy' || kind === 'money' || kind === 'mass';
}

/** Whether values are shares, which are aggregated from energies rather than averaged. A difference of shares is not a share. */
export function isShare({ kind, difference }: Unit): boolean {
  return kind === 'share' && !difference;
}

/** Whether values are shares or rates, which are aggregated from their parts and wholes rather than averaged. */
export function isQuotient(unit: Unit): boolean {
  return isShare(unit) || (unit.kind === 'rate' && !unit.difference);
}

/** Whether values are differences of shares or rates, or changes in percent, which can only be aggregated from their parts and wholes. */
export function isDifferenceOfQuotients({ kind, difference }: Unit): boolean {
  return (kind === 'share' || kind === 'rate') && difference === true;
}

export function isEnergyChange({ text, difference }: Unit): boolean {
  return text === energyChange.text && difference === true;
}

/** Returns the unit of a field; one of kind `none` if it is unknown. */
export function unitOf(field: { readonly unit?: Unit } | undefined): Unit {
  return field?.unit ?? none;
}

/** Returns the unit of the difference of two values. */
export function getDifferenceUnit(unit: Unit): Unit {
  return unit.text === share.text ? shareDifference : { ...unit, difference: true };
}

/** Whether values of two units can be added or averaged. Compares by content, since units may be copies. */
export function isSameUnit(a: Unit, b: Unit): boolean {
  const isSameQuantity = a.kind === b.kind && a.text === b.text && a.mwhPerHour === b.mwhPerHour;
  return isSameQuantity && a.difference === b.difference && a.overlaps === b.overlaps;
}

const unitsBySuffix: ReadonlyMap<string, Unit> = new Map([
  ['mw', power],
  ['mwh', energy],
  ['kw', { kind: 'power', text: 'kW', mwhPerHour: 1 / 1000 }],
  ['kwh', { kind: 'energy', text: 'kWh' }],
  ['pct', share],
  ['r', money],
  ['r/mwh', moneyRate],
  ['r/kwh', { kind: 'rate', text: 'R/kWh' }],
  ['c/kwh', { kind: 'rate', text: 'c/kWh' }],
]);
/** The units of received values, beside the ones that a file names in its own words. */
export const knownUnits: readonly Unit[] = [...unitsBySuffix.values(), mass, massRate];

/** Matches the unit that ends a name. `R` alone needs parentheses, and the third phase of a meter, `phase_c_kwh`, has no price. */
const unitSuffix = /(?:^|[\s_.([])(mwh?|kwh?|pct|zar|(?<!phase[\s_.])(?:r|zar|c)[/_][mk]wh)[)\]]?$|[([](r)[)\]]$/i;
/** Matches the parts of a name that indicate power that is not a mean over its interval. */
const extremeParts = /(?:^|[^a-z\d])(?:max(?:imum)?|min(?:imum)?|peak|ramp|change|capacity)(?![a-z\d])/i;

/**
 * Infers the unit from the end of a name such as `mw`, `wind_mw`, `Import [kWh]`, `Plant MW`, `Price (R/MWh)` or `price_c_kwh`. Returns
 * undefined for other names.
 */
export function inferUnit(name: string): Unit | undefined {
  const [, suffix, rand = ''] = unitSuffix.exec(name) ?? [];
  // The red phase of a meter.
  if (rand !== '' && /phase|volt|current|amp/i.test(name)) return undefined;
  const unit = unitsBySuffix.get((suffix ?? rand).toLowerCase().replace('_', '/').replace('zar', 'r'));
  if (unit?.mwhPerHour === undefined || !extremeParts.test(name)) return unit;
  return { kind: unit.kind, text: unit.text };
}
