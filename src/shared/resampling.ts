import { dayMs, hourMs } from './durations.ts';

/** Lengths of bins by the clocks of a zone; a week begins on Monday, as in ISO 8601. */
export const binSizes = ['3h', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type BinSize = (typeof binSizes)[number];

/** Recurring bins by the clocks of a zone. Seasons are southern: summer is December to February. */
export const cycles = ['hourOfDay', 'weekday', 'monthOfYear', 'season', 'tariffPeriod'] as const;
export type Cycle = (typeof cycles)[number];

export function isCycle(by: string): by is Cycle {
  return cycles.some(cycle => cycle === by);
}

/** Returns the cycles that rows of this length (milliseconds) can be grouped by. */
export function listCycles(intervalMs: number): readonly Cycle[] {
  return cycles.filter(cycle => intervalMs <= (cycle === 'hourOfDay' || cycle === 'tariffPeriod' ? hourMs : dayMs));
}

/** The bins of rows that are aggregated from shorter ones. */
export interface ZonedBins {
  readonly size: BinSize;
  /** The IANA name of the zone; `label` is its displayed name. */
  readonly timeZone: string;
  readonly label: string;
}

/** The cycle of rows that are recurring bins. */
export interface ZonedCycle extends Omit<ZonedBins, 'size'> {
  readonly by: Cycle;
}

/** The length of rows from `start` (UTC milliseconds) on. The first length applies to earlier rows too. */
export interface RowLength {
  readonly start: number;
  readonly intervalMs: number;
}

/** The elapsed intervals of a result: [start, end), UTC milliseconds. The first row, present or missing, begins at `start`. */
export interface ElapsedRange {
  readonly start: number;
  readonly end: number;
  /** The length of a row: the approximate length for bins, the maximum for rows of several lengths. */
  readonly intervalMs: number;
  /** For rows that are bins of a zone, whose lengths differ. */
  readonly bins?: Pick<ZonedBins, 'size' | 'timeZone'> | undefined;
  /** The row lengths, ascending by start, if lengths differ, such as hours and later quarter-hours. */
  readonly lengths?: readonly RowLength[] | undefined;
}

/** The subsets of figures that resampled rows can be limited to: energies; means; minimum and maximum. */
export const resampledFigureSets = ['energy', 'mean', 'extremes'] as const;
export type ResampledFigures = (typeof resampledFigureSets)[number];

/** How rows are resampled: plain data, so that page and host compute the same rows. */
export interface Resampling extends ElapsedRange {
  readonly by: BinSize | Cycle;
  readonly timeZone: string;
  readonly label: string;
  /** The indexes of the rows to use, in their order; undefined for all. The interval of an unused row is not counted in its bin. */
  readonly rows?: Uint32Array;
  /** For each interval of the range: 0 if an interval without a row is not counted in its bin; undefined if all are counted. */
  readonly counted?: Uint8Array;
  /** The tariffs for tariff periods; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[];
  /** The names of the bins of a cycle, in their order; empty for other bins. */
  readonly names: readonly string[];
  /** Omitted for all figures. */
  readonly figures?: ResampledFigures;
}

/** The maximum number of intervals, which bounds the memory used. Fifty years of hours are a fortieth of it. */
export const maxIntervals = 1 << 24;

/** The hours of a kind of day as ranges such as `06:00-09:00` in SAST, the end exclusive. All other hours are off-peak. */
export interface TariffDay {
  readonly peak?: readonly string[];
  readonly standard?: readonly string[];
}

export const tariffDays = ['weekday', 'saturday', 'sunday'] as const;
export type TariffDayName = (typeof tariffDays)[number];
type TariffSeason = Readonly<Record<TariffDayName, TariffDay>>;

/** When electricity is charged at peak, standard and off-peak rates: plain data, as in the setting `gridData.tariffPeriods`. */
export interface Tariff {
  /** The first day in SAST, such as `2025-04-01`. The tariff applies until the next one begins. */
  readonly from: string;
  /** The publisher, for display. */
  readonly source: string;
  /** June to August. */
  readonly highDemand: TariffSeason;
  /** September to May. */
  readonly lowDemand: TariffSeason;
  /** Dates that are exceptions from the rule for public holidays. */
  readonly days?: Readonly<Record<string, TariffDayName>>;
}
