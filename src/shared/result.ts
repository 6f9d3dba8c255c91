import type { Frame } from './frame.ts';
import type { TableProblem } from './tableLimits.ts';

/** The states of the intervals (hours or days) of a range. Counts are numbers of intervals; instants are UTC milliseconds. */
export interface Coverage {
  /** Intervals in [start, end). */
  readonly expected: number;
  /** Intervals with a row. */
  readonly present: number;
  /** Intervals that had elapsed at the request but have no row. */
  readonly missing: number;
  /** The first few missing ranges, each [start, end). */
  readonly missingRanges: readonly (readonly [number, number])[];
  /** Intervals that had not elapsed at the request. */
  readonly notPublished: number;
  /** Intervals without a row because the request for them failed. */
  readonly failed: number;
  /** Elapsed intervals that were not requested: the result is from the archive only, or the service has more pages. */
  readonly notRequested: number;
  /** Elapsed intervals for which the service reports late data. */
  readonly late: number;
  /** The `intervalState` of each interval. */
  readonly states: Uint8Array;
  /** 1 for each interval whose row is from the archive, without a request. */
  readonly archived: Uint8Array;
  /** The start of each interval and the end of the last, UTC milliseconds, if lengths differ: for days of a zone and rows of several lengths. */
  readonly edges?: Float64Array;
  /** For days: the numbers of their hours. */
  readonly hours?: DayHours;
  /** For joined datasets: the coverage of each. An interval is present if all datasets have it, else it has the most serious of their states. */
  readonly parts?: readonly DatasetCoverage[];
}

/** The coverage of one of the datasets or sources that a result joins, with its title. */
export interface DatasetCoverage {
  readonly title: string;
  readonly coverage: Coverage;
  /** Whether it is a source, whose intervals cannot be requested. */
  readonly isSource?: true;
}

/** For each day, how many of its hours have a row and how many hours it has; both 0 if unknown. */
export interface DayHours {
  readonly present: Uint8Array;
  readonly expected: Uint8Array;
  /** The counts of all hours by state, for days that are aggregated from hours. */
  readonly counts?: Readonly<Record<keyof typeof intervalState, number>> & { readonly expected: number };
}

/** The states of an interval. */
export const intervalState = { present: 0, missing: 1, notPublished: 2, failed: 3, notRequested: 4, late: 5 } as const;

/** The state, in addition to `intervalState`, of a day that has only some of its hours. */
export const partialDay = 6;

/**
 * Returns the states to display, with `partialDay` for days that have only some of their hours. An interval that a joined part lacks has the
 * state of that part.
 */
export function getDisplayStates({
  states,
  hours,
  parts = [],
}: Pick<Coverage, 'states' | 'hours' | 'parts'>): Uint8Array {
  const lacking = parts.filter(({ coverage }) => coverage.states.some(state => state !== intervalState.present));
  if (lacking.length > 0)
    return getDisplayStates({ states, ...(hours && { hours }) }).map((state, index) =>
      state === intervalState.present
        ? (lacking.map(({ coverage }) => coverage.states[index] ?? state).find(other => other !== state) ?? state)
        : state,
    );
  if (!hours) return states;
  const { present, expected } = hours;
  return states.map((state, index) =>
    state === intervalState.present && (present[index] ?? 0) < (expected[index] ?? 0) ? partialDay : state,
  );
}

/** Returns the start of an interval, or the end of the last one, in UTC milliseconds. */
export function getIntervalStart(
  { edges }: { readonly edges?: Float64Array | undefined },
  start: number,
  intervalMs: number,
  index: number,
): number {
  return edges?.[index] ?? start + index * intervalMs;
}

/** The reason why a part of the range is missing or outdated. */
export interface PartFailure {
  /** The id of the dataset, if the result joins several. */
  readonly dataset?: string;
  /** A `FailureReason`. `detail` is the message of the service, if it sent one. */
  readonly reason: string;
  readonly detail?: string;
  readonly status?: number;
  /** When the service rejected the key, UTC milliseconds, if no request was sent because of that. */
  readonly refusedAt?: number;
  /** The ranges that failed, each [start, end). */
  readonly ranges: readonly (readonly [number, number])[];
}

/** A request for a part of a result, without the key. */
export interface RequestTrace {
  /** The requested hours: [start, end), UTC milliseconds. */
  readonly start: number;
  readonly end: number;
  /** The address with its parameters. */
  readonly url: string;
  readonly status: number;
  /** The response headers by lower-case name, with credentials removed. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** UTC milliseconds by this machine's clock. */
  readonly sentAt: number;
  /** Milliseconds from sending to the beginning and to the end of the body. */
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** The size of the decompressed body. */
  readonly bytes: number;
  /** 1 for the first try. */
  readonly attempt: number;
}

/** The origin of a result, without the key. */
export interface Provenance {
  /** The name of the file that the rows were read from; undefined for a query. */
  readonly file?: string;
  readonly connection: string;
  /** Set for the connection of Sample Data, regardless of `meta`. */
  readonly sample?: true;
  /** Dataset id in the catalogue, and its title. */
  readonly dataset: string;
  readonly datasetTitle: string;
  /** The range as written ("last 7 days"), and its instants: [start, end), UTC milliseconds. */
  readonly range: string;
  readonly start: number;
  readonly end: number;
  readonly interval: string;
  /** The zone of the range's days, an IANA name; undefined if the range is the same in every zone. */
  readonly timeZone?: string;
  /** For days of a zone that are aggregated from hours: the zone. Requests, archived intervals and revisions are then hours. */
  readonly days?: { readonly timeZone: string; readonly label: string };
  readonly params: Readonly<Record<string, string>>;
  /** When the newest part was fetched, UTC milliseconds; undefined if nothing was. */
  readonly fetchedAt: number | undefined;
  readonly requestsSpent: number;
  /** The requests of this run that got a response, in the order of sending; undefined if all rows are from the archive. */
  readonly requests?: readonly RequestTrace[];
  /** Intervals of the range whose row is from the archive, without a request. */
  readonly archivedIntervals: number;
  /** When the oldest archived interval was fetched, among those that are due but could not be requested. */
  readonly oldestFetchedAt?: number;
  readonly failure?: PartFailure;
  /** The instant, UTC milliseconds, before which the same query returns nothing new. */
  readonly nextPublication: number;
  /** The number of received rows outside [start, end), which are not in the frame. */
  readonly rowsOutside: number;
  /** Whether the service has more pages (`next`) that were not fetched: at another address, or too many. */
  readonly incomplete: boolean;
  /** The rest of the service's envelope (`meta` and the like), as received. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Changes by the service to intervals that had already elapsed when they were last requested. */
export interface Revisions {
  /** Intervals whose row has changed. */
  readonly revised: number;
  /** Intervals whose row was removed. */
  readonly withdrawn: number;
  /** The earliest previous request of these intervals, by the service's clock, UTC milliseconds. */
  readonly since: number;
  /** The first of these rows before and after the change, ascending by time. */
  readonly before: Frame;
  readonly after: Frame;
}

/** Archived rows from before the range of a result, for an analysis that compares with them. */
export interface History {
  /** Rows ascending by time. */
  readonly frame: Frame;
  /** The weeks before the range as a range text, if some of their hours were never requested. */
  readonly missingRange?: string;
  /** The number of requests needed to fetch these, if known. */
  readonly requests?: number;
}

/** The result of a run. `frame` is undefined if the JSON is not a table and is shown as text only. */
export interface Result {
  readonly frame: Frame | undefined;
  /** Why there is no frame. */
  readonly problem?: TableProblem;
  /** The received bodies of the response, one for each page: JSON in UTF-8. Empty if all rows are from the archive. */
  readonly bodies: readonly Uint8Array[];
  /** Undefined without a time column, and for an interval of unknown length. */
  readonly coverage: Coverage | undefined;
  /** Undefined if the service changed nothing. */
  readonly revisions?: Revisions;
  readonly history?: History;
  readonly provenance: Provenance;
}
