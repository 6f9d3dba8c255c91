import type { Frame } from './frame.ts';
import type { TableProblem } from './tableLimits.ts';

/** The states of the hours (or days) of a range. Counts are steps of the interval; instants are UTC milliseconds. */
export interface Coverage {
  /** Steps in [start, end). */
  readonly expected: number;
  /** Steps with a row. */
  readonly present: number;
  /** Steps that were over at the request, but have no row. */
  readonly missing: number;
  /** The first few intervals of missing steps, each [start, end). */
  readonly missingStretches: readonly (readonly [number, number])[];
  /** Steps that were not over at the request. */
  readonly notPublished: number;
  /** Steps without a row because the request for them failed. */
  readonly failed: number;
  /** Steps that are over and were not requested: the result is from the archive only, or the service has more pages. */
  readonly notAsked: number;
  /** Steps that are over, for which the service reports late data. */
  readonly late: number;
  /** One `stepState` for each step. */
  readonly states: Uint8Array;
  /** 1 for each step from the archive, without a request. */
  readonly archived: Uint8Array;
  /** The beginning of each step and the end of the last, UTC milliseconds, where their lengths differ: for days of a zone, and rows of several lengths. */
  readonly edges?: Float64Array;
  /** Of days: the number of their hours. */
  readonly hours?: StepHours;
  /** Of joined datasets: that of each. A step is present here where it is in all, else it has the most serious of their states. */
  readonly parts?: readonly PartCoverage[];
}

/** The coverage of one of the datasets that a result joins, with the dataset's title. */
export interface PartCoverage {
  readonly title: string;
  readonly coverage: Coverage;
}

/** For each day, how many of its hours have a row, and how many hours it has; both 0 where unknown. */
export interface StepHours {
  readonly present: Uint8Array;
  readonly expected: Uint8Array;
  /** The counts of all hours by state, where the days are made from them. */
  readonly counts?: Readonly<Record<keyof typeof stepState, number>> & { readonly expected: number };
}

/** The states of a step. */
export const stepState = { present: 0, missing: 1, notPublished: 2, failed: 3, notAsked: 4, late: 5 } as const;

/** In addition to `stepState`: a day that has only some of its hours. */
export const partialDay = 6;

/** The states to show, with `partialDay` for days that have only some of their hours. */
export function shownStates({ states, hours }: Pick<Coverage, 'states' | 'hours'>): Uint8Array {
  if (!hours) return states;
  const { present, expected } = hours;
  return states.map((state, step) =>
    state === stepState.present && (present[step] ?? 0) < (expected[step] ?? 0) ? partialDay : state,
  );
}

/** The beginning of a step, or the end of the last: UTC milliseconds. */
export function stepStart(
  { edges }: { readonly edges?: Float64Array | undefined },
  start: number,
  stepMs: number,
  step: number,
): number {
  return edges?.[step] ?? start + step * stepMs;
}

/** Why a part of the range is missing, or out of date. */
export interface PartFailure {
  /** The id of the dataset, where the result joins several. */
  readonly dataset?: string;
  /** A `FailureReason`, with the service's own words where it had any. */
  readonly reason: string;
  readonly detail?: string;
  readonly status?: number;
  /** When the service rejected the key, UTC milliseconds, where no request was sent because of that. */
  readonly refusedAt?: number;
  /** The parts that failed, each [start, end). */
  readonly stretches: readonly (readonly [number, number])[];
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
  /** Of the body, decompressed. */
  readonly bytes: number;
  /** 1 for the first try. */
  readonly attempt: number;
}

/** Where a result comes from, without the key. */
export interface Provenance {
  /** The name of the file that the rows were read from, without a request. */
  readonly file?: string;
  readonly connection: string;
  /** Set for the connection of Sample Data, whatever `meta` says. */
  readonly sample?: true;
  /** Dataset id in the catalogue, and its title. */
  readonly dataset: string;
  readonly datasetTitle: string;
  /** The range as written ("last 7 days"), and its instants: [start, end), UTC milliseconds. */
  readonly range: string;
  readonly start: number;
  readonly end: number;
  readonly interval: string;
  /** The zone of the range's days, an IANA name; undefined where the range is the same in every zone. */
  readonly timeZone?: string;
  /** For days of a zone, made from hours: the zone. Requests, archived steps and revisions are then those of hours. */
  readonly days?: { readonly timeZone: string; readonly label: string };
  readonly params: Readonly<Record<string, string>>;
  /** When the newest part was fetched, UTC milliseconds; undefined for none. */
  readonly fetchedAt: number | undefined;
  readonly requestsSpent: number;
  /** The answered requests of this run, in the order of sending; undefined where all rows are from the archive. */
  readonly requests?: readonly RequestTrace[];
  /** Steps of the range whose row is from the archive, without a request. */
  readonly stepsKept: number;
  /** Where archived steps are due but could not be requested: when the oldest of them was fetched. */
  readonly keptSince?: number;
  readonly failure?: PartFailure;
  /** UTC milliseconds; before it, the same query returns nothing new. */
  readonly nextPublication: number;
  /** Received rows outside [start, end), which are not in the frame. */
  readonly rowsOutside: number;
  /** The service has more pages (`next`) that are not fetched: at another address, or too many. */
  readonly incomplete: boolean;
  /** The rest of the service's envelope (`meta` and the like), as received. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Changes by the service of steps that were over when they were last requested. */
export interface Revisions {
  /** Steps whose row has changed. */
  readonly revised: number;
  /** Steps whose row was removed. */
  readonly withdrawn: number;
  /** The earliest previous request of these steps, by the service's clock, UTC milliseconds. */
  readonly since: number;
  /** The first of these rows before and after the change, ascending by time. */
  readonly before: Frame;
  readonly after: Frame;
}

/** What the archive has before a result, where an analysis compares with it. */
export interface History {
  /** Rows ascending by time. */
  readonly frame: Frame;
  /** The weeks before the range as a range text, where not all of their hours were ever requested. */
  readonly lacking?: string;
  /** How many requests these take, where that is known. */
  readonly requests?: number;
}

/** The result of a run. `frame` is undefined where the JSON is not a table, and is shown as text only. */
export interface Result {
  readonly frame: Frame | undefined;
  /** Why there is no frame. */
  readonly problem?: TableProblem;
  /** The bodies of the response as received, one for each page: JSON in UTF-8. None where all rows are from the archive. */
  readonly bodies: readonly Uint8Array[];
  /** Undefined without a time column, and for an interval of unknown length. */
  readonly coverage: Coverage | undefined;
  /** Undefined where the service changed nothing. */
  readonly revisions?: Revisions;
  readonly history?: History;
  readonly provenance: Provenance;
}
