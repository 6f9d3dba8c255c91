/** What a number measures, which determines its figures. */
export const unitKinds = ['power', 'energy', 'share', 'index', 'none'] as const;
export type UnitKind = (typeof unitKinds)[number];

/** The unit of a field, which determines how its numbers are shown and aggregated. */
export interface Unit {
  readonly kind: UnitKind;
  /** As shown after a number: "MW"; empty for an index. */
  readonly text: string;
  /**
   * The energy in MWh of 1 over an hour. Undefined where there is no energy: for units other than power, and for power that is not a mean
   * over its interval (an extreme, a change since the hour before).
   */
  readonly mwhPerHour?: number;
  /** Differences of two values, which are never added to other values. */
  readonly difference?: true;
  /** A difference of means over different numbers of hours, which therefore has no energy. */
  readonly unlikeHours?: true;
  /** Values over hours that other rows count too, such as the last 24: they are never added up. */
  readonly overlaps?: true;
}

/** Mean power over the interval. */
export const power: Unit = { kind: 'power', text: 'MW', mwhPerHour: 1 };
/** The difference of two mean powers. Its energy is the difference of their energies. */
export const powerDifference: Unit = { ...power, difference: true };
/** Power that is not a mean over its interval: a maximum, a minimum, or a change. It has no energy. */
export const powerExtreme: Unit = { kind: 'power', text: 'MW' };
export const energy: Unit = { kind: 'energy', text: 'MWh' };
export const share: Unit = { kind: 'share', text: '%' };
/** The difference of two energies in percent of the second. Several are made of their energies, never averaged. */
export const energyChange: Unit = { ...share, difference: true };
/** Percentage points: the difference of two shares. */
const shareDifference: Unit = { kind: 'share', text: 'pp', difference: true };
export const index: Unit = { kind: 'index', text: '' };
/** A number of hours. */
export const hourCount: Unit = { kind: 'none', text: 'h' };
const none: Unit = { kind: 'none', text: '' };

/** Whether a number counts the hours of a row: it explains other columns, and is not a series. */
export function isHourCount({ text }: Unit): boolean {
  return text === hourCount.text;
}

/** Whether values are shares, which are made of energies rather than averaged; the difference of two is none. */
export function isShare({ kind, difference }: Unit): boolean {
  return kind === 'share' && !difference;
}

/** Whether values are differences of shares or changes in percent: several are made of their energies, or not known. */
export function isDifferenceOfShares({ kind, difference }: Unit): boolean {
  return kind === 'share' && difference === true;
}

export function isEnergyChange({ text, difference }: Unit): boolean {
  return text === energyChange.text && difference === true;
}

/** The unit of a field; one of kind `none` where it is unknown. */
export function unitOf(field: { readonly unit?: Unit } | undefined): Unit {
  return field?.unit ?? none;
}

/** The unit of the difference of two values. */
export function differenceOf(unit: Unit): Unit {
  return unit.text === share.text ? shareDifference : { ...unit, difference: true };
}

/** Whether values of two units can be added or averaged. Compares by content, since units may be copies. */
export function sameUnit(a: Unit, b: Unit): boolean {
  const isAlike = a.kind === b.kind && a.text === b.text && a.mwhPerHour === b.mwhPerHour;
  return isAlike && a.difference === b.difference && a.overlaps === b.overlaps;
}

const unitsOfEndings: ReadonlyMap<string, Unit> = new Map([
  ['mw', power],
  ['mwh', energy],
  ['pct', share],
]);
/** Parts of a name that mean that its power is not a mean over the interval. */
const extremes = /(?:^|[_.])(?:max|min|peak|ramp|change|capacity)_/;

/** The unit of a name that is `mw`, `mwh` or `pct`, or ends with `_mw` and so on. Undefined for other names. */
export function unitOfName(name: string): Unit | undefined {
  const ending = /^(?:[\w.]{1,100}_)?(mwh?|pct)$/.exec(name)?.[1];
  const unit = unitsOfEndings.get(ending ?? '');
  return unit === power && extremes.test(name) ? powerExtreme : unit;
}
