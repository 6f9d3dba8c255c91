import { dayMs, hourMs } from './durations.ts';

/** Lengths of bins by the clocks of a zone; a week begins on Monday, as in ISO 8601. */
export const binSizes = ['3h', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type BinSize = (typeof binSizes)[number];

/** Bins that come again by the clocks of a zone. Seasons are those of the southern hemisphere, summer from December to February. */
export const cycles = ['hourOfDay', 'weekday', 'monthOfYear', 'season', 'tariffPeriod'] as const;
export type Cycle = (typeof cycles)[number];

export function isCycle(by: string): by is Cycle {
  return cycles.some(cycle => cycle === by);
}

/** The cycles that tell rows of this length apart, in milliseconds. */
export function cyclesOf(stepMs: number): readonly Cycle[] {
  return cycles.filter(cycle => stepMs <= (cycle === 'hourOfDay' || cycle === 'tariffPeriod' ? hourMs : dayMs));
}

/** What rows that are made from shorter ones stand for. */
export interface BinsOfZone {
  readonly size: BinSize;
  /** An IANA name, and the label shown. */
  readonly timeZone: string;
  readonly label: string;
}

/** The same for rows that are bins of a cycle. */
export interface CycleOfZone extends Omit<BinsOfZone, 'size'> {
  readonly by: Cycle;
}

/** From an instant on, UTC milliseconds, rows are so long. The first length holds before its instant, too. */
export interface RowLength {
  readonly start: number;
  readonly stepMs: number;
}

/** The steps of a result's rows that are over: [start, end), UTC milliseconds. The first row, or one that is missing, begins at `start`. */
export interface StepSpan {
  readonly start: number;
  readonly end: number;
  /** The length of a row; of bins about how long one is, of rows of several lengths the greatest. */
  readonly stepMs: number;
  /** For rows that are bins of a zone, whose lengths differ. */
  readonly bins?: Pick<BinsOfZone, 'size' | 'timeZone'> | undefined;
  /** For rows of several lengths, such as hours and, from a day on, quarters of them. Ascending. */
  readonly lengths?: readonly RowLength[] | undefined;
}

/** What longer rows say of each column, where they do not say all: energies; means; the lowest and the highest. */
export const resampledFigures = ['energy', 'mean', 'extremes'] as const;
export type ResampledFigures = (typeof resampledFigures)[number];

/** How rows are resampled: plain data, so that page and host make the same of the same rows. */
export interface Resampling extends StepSpan {
  readonly by: BinSize | Cycle;
  readonly timeZone: string;
  readonly label: string;
  /** The rows that count, in their order; undefined for all. A step whose row does not count is no step of its bin. */
  readonly rows?: Uint32Array;
  /** For each step of `resampledSteps`, 0 where one without a row is no step of its bin either; undefined for none. */
  readonly counted?: Uint8Array;
  /** For tariff periods; left out for Eskom's. */
  readonly tariffs?: readonly Tariff[];
  /** What the bins of a cycle are called, in their order; empty for other bins. */
  readonly names: readonly string[];
  /** Left out for all figures. */
  readonly figures?: ResampledFigures;
}

/** Steps are memory: fifty years of hours take a fortieth of this. */
export const mostSteps = 1 << 24;

/** The hours of a kind of day, each `06:00-09:00` by SAST, the end not included; all others are off-peak. */
export interface TariffDay {
  readonly peak?: readonly string[];
  readonly standard?: readonly string[];
}

export const tariffDays = ['weekday', 'saturday', 'sunday'] as const;
export type TariffDayName = (typeof tariffDays)[number];
type TariffSeason = Readonly<Record<TariffDayName, TariffDay>>;

/** When electricity is charged at peak, standard and off-peak rates: plain data, as in the setting `gridData.tariffPeriods`. */
export interface Tariff {
  /** The first day, such as `2025-04-01`, by SAST; it holds until the next one begins. */
  readonly from: string;
  /** Who publishes it, for people. */
  readonly source: string;
  /** June to August. */
  readonly highDemand: TariffSeason;
  /** September to May. */
  readonly lowDemand: TariffSeason;
  /** Dates that count as another kind of day than by the rule for public holidays. */
  readonly days?: Readonly<Record<string, TariffDayName>>;
}
