/** What a number measures: decides which figures can be made of several. */
export type UnitKind = 'power' | 'energy' | 'share' | 'index' | 'none';

/** The unit of a field. All that is shown and computed of its numbers follows from it. */
export interface Unit {
  readonly kind: UnitKind;
  /** As it is shown behind a number: "MW"; empty for an index. */
  readonly text: string;
  /**
   * What 1 over an hour is in MWh. Left out where there is no energy: of what is no power, and of a power that is not the mean
   * over its interval (an extreme, a change since the hour before).
   */
  readonly mwhPerHour?: number;
  /** Differences of two values: they are never added to values that are none. */
  readonly difference?: true;
  /** A difference of means over unlike hours, which is why it has no energy. */
  readonly unlikeHours?: true;
}

/** Mean power over the interval. */
export const power: Unit = { kind: 'power', text: 'MW', mwhPerHour: 1 };
/** The difference of two mean powers. Its energy is what one has more than the other; surplus and shortfall cancel. */
export const powerDifference: Unit = { ...power, difference: true };
/** Power that is no mean over its interval: the highest, the lowest, or a change. It has no energy. */
export const powerExtreme: Unit = { kind: 'power', text: 'MW' };
export const energy: Unit = { kind: 'energy', text: 'MWh' };
export const share: Unit = { kind: 'share', text: '%' };
/** Percentage points: the difference of two shares. */
export const shareDifference: Unit = { kind: 'share', text: 'pp', difference: true };
export const index: Unit = { kind: 'index', text: '' };
/** A number of hours. */
export const hourCount: Unit = { kind: 'none', text: 'h' };
const none: Unit = { kind: 'none', text: '' };

/** Whether a number says how many hours a row is made of: it is there to be read beside the others, no series of its own. */
export function isHourCount({ text }: Unit): boolean {
  return text === hourCount.text;
}

/** The unit of what is known of a field; that of kind `none` where nothing is. */
export function unitOf(field: { readonly unit?: Unit } | undefined): Unit {
  return field?.unit ?? none;
}

/** The unit of the difference of two values. */
export function differenceOf(unit: Unit): Unit {
  return unit.text === share.text ? shareDifference : { ...unit, difference: true };
}

/** Whether values of two units can be added, or a mean be taken of them. Units are compared by what they say: they may be copies. */
export function sameUnit(a: Unit, b: Unit): boolean {
  return a.kind === b.kind && a.text === b.text && a.mwhPerHour === b.mwhPerHour && a.difference === b.difference;
}

const unitsOfEndings: ReadonlyMap<string, Unit> = new Map([
  ['mw', power],
  ['mwh', energy],
  ['pct', share],
]);
/** Parts of a name that say that its power is no mean over the interval. */
const extremes = /(?:^|[_.])(?:max|min|peak|ramp|change|capacity)_/;

/** The unit that the name of a field ends with: `_mw`, `_mwh` or `_pct`. Undefined for other names. */
export function unitOfName(name: string): Unit | undefined {
  const ending = /^[\w.]{1,100}_(mwh?|pct)$/.exec(name)?.[1];
  const unit = unitsOfEndings.get(ending ?? '');
  return unit === power && extremes.test(name) ? powerExtreme : unit;
}
