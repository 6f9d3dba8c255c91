import type { Frame } from './frame.ts';
import type { TableProblem } from './tableLimits.ts';

/** Hours (or days) of the asked range, told apart. Counts are steps of the interval; instants are UTC milliseconds. */
export interface Coverage {
  /** Steps in [start, end). */
  readonly expected: number;
  /** Steps for which a row came. */
  readonly present: number;
  /** Steps already over when asked, yet without a row. */
  readonly missing: number;
  /** The first few missing stretches, each [start, end), for the reader's eye. */
  readonly missingStretches: readonly (readonly [number, number])[];
  /** Steps not over when asked: nobody can have them yet. */
  readonly notPublished: number;
  /** Steps without a row because the request for them failed. */
  readonly failed: number;
  /** Steps already over that nobody asked for: the answer is from the archive alone, or the service has more pages. */
  readonly notAsked: number;
  /** Steps already over for which the service says that its own data is late. */
  readonly late: number;
  /** One `stepState` a step. */
  readonly states: Uint8Array;
  /** 1 for each step that came from the archive without a request. */
  readonly kept: Uint8Array;
  /** The beginning of each step and the end of the last, UTC milliseconds, where they are not all of one length: days of a zone. */
  readonly edges?: Float64Array;
  /** Of days: how many of their hours there are. */
  readonly hours?: StepHours;
}

/** Of each day, how many hours have a row and how many it has: 0 where nothing is known of its hours. */
export interface StepHours {
  readonly present: Uint8Array;
  readonly expected: Uint8Array;
  /** All hours told apart, where the days are made of them. */
  readonly counts?: Readonly<Record<keyof typeof stepState, number>> & { readonly expected: number };
}

/** What is there of a step. */
export const stepState = { present: 0, missing: 1, notPublished: 2, failed: 3, notAsked: 4, late: 5 } as const;

/** As a `stepState`, of a day that is there with some of its hours alone. */
export const partialDay = 6;

/** The states as they are shown: days with some of their hours alone are told from whole ones. */
export function shownStates({ states, hours }: Pick<Coverage, 'states' | 'hours'>): Uint8Array {
  if (!hours) return states;
  const { present, expected } = hours;
  return states.map((state, step) =>
    state === stepState.present && (present[step] ?? 0) < (expected[step] ?? 0) ? partialDay : state,
  );
}

/** The beginning of a step, or of what follows the last: UTC milliseconds. */
export function stepStart(
  { edges }: { readonly edges?: Float64Array | undefined },
  start: number,
  stepMs: number,
  step: number,
): number {
  return edges?.[step] ?? start + step * stepMs;
}

/** Why a part of the range is not there, or not as fresh as it should be. */
export interface PartFailure {
  /** A `FailureReason`, with the service's own words where it had any. */
  readonly reason: string;
  readonly detail?: string;
  readonly status?: number;
  /** Where nothing was sent since the service refused the key before: when it did, UTC milliseconds. */
  readonly refusedAt?: number;
  /** The parts that failed, each [start, end). */
  readonly stretches: readonly (readonly [number, number])[];
}

/** A request that brought a part of a result, as it went over the wire; never with a key. */
export interface RequestTrace {
  /** The hours it was for: [start, end), UTC milliseconds. */
  readonly start: number;
  readonly end: number;
  /** The address asked, with its parameters. */
  readonly url: string;
  readonly status: number;
  /** The headers of the answer by their small names, without those that let somebody in. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** UTC milliseconds by this machine's clock. */
  readonly sentAt: number;
  /** Milliseconds from sending until the body began to come, and until all of it was there. */
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** Of the body, decompressed. */
  readonly bytes: number;
  /** 1 for the first try. */
  readonly attempt: number;
}

/** Where a result came from. Never holds a key. */
export interface Provenance {
  readonly connection: string;
  /** The connection is that of Sample Data, whatever `meta` says. */
  readonly sample?: true;
  /** Dataset id in the catalogue, and its title. */
  readonly dataset: string;
  readonly datasetTitle: string;
  /** The range as the person gave it ("last 7 days"), and the instants it stood for: [start, end), UTC milliseconds. */
  readonly range: string;
  readonly start: number;
  readonly end: number;
  readonly interval: string;
  /** The zone whose days the rows are, made from hours: what is said of requests, kept and revised steps is of hours then. */
  readonly days?: { readonly timeZone: string; readonly label: string };
  readonly params: Readonly<Record<string, string>>;
  /** UTC milliseconds at which the newest part of the answer came; undefined where none ever did. */
  readonly fetchedAt: number | undefined;
  readonly requestsSpent: number;
  /** The requests of this run that were answered, in the order they were sent; left out where all came from the archive. */
  readonly requests?: readonly RequestTrace[];
  /** Steps of the range whose row came from the archive, without a request. */
  readonly stepsKept: number;
  /** Where kept steps are due but could not be asked for: when the oldest of them was fetched. */
  readonly keptSince?: number;
  readonly failure?: PartFailure;
  /** UTC milliseconds; before it, asking the same again brings nothing new. */
  readonly nextPublication: number;
  /** Rows the service sent for instants outside [start, end); they are not in the frame. */
  readonly rowsOutside: number;
  /** The service said that there is more (`next`) where the client does not go: another address, or too many pages. */
  readonly incomplete: boolean;
  /** The rest of the service's envelope (`meta` and the like), as received. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What the service changed of steps that were over when they were last asked for. */
export interface Revisions {
  /** Steps whose row has other values now. */
  readonly revised: number;
  /** Steps whose row is no longer there. */
  readonly withdrawn: number;
  /** When these steps were last asked for, by the service's clock, UTC milliseconds: the earliest of them. */
  readonly since: number;
  /** The first of their rows as they were, and as they are now; ascending by time. */
  readonly before: Frame;
  readonly after: Frame;
}

/** A finished query. `frame` is undefined where the JSON is no table: then it is shown as text alone. */
export interface Result {
  readonly frame: Frame | undefined;
  /** Why there is no frame. */
  readonly problem?: TableProblem;
  /** The bodies of the response as received, a page each: JSON in UTF-8. None where all came from the archive. */
  readonly bodies: readonly Uint8Array[];
  /** Undefined where the rows have no time column or the interval is not a known step. */
  readonly coverage: Coverage | undefined;
  /** Left out where the service changed nothing that was known. */
  readonly revisions?: Revisions;
  readonly provenance: Provenance;
}
