import * as v from 'valibot';
import { parseStoredJson } from '../../core/json/json.ts';
import type { Clock, Random } from '../../core/ports.ts';
import { hourMs } from '../../shared/durations.ts';
import { LockedText } from '../files/lockedText.ts';

/** Requests that an agent reserved at an instant (UTC milliseconds). */
const reservationSchema = v.object({
  id: v.string(),
  source: v.string(),
  scope: v.string(),
  at: v.pipe(v.number(), v.finite()),
  count: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
type StoredReservation = v.InferOutput<typeof reservationSchema>;

const fileSchema = v.object({ version: v.literal(1), reservations: v.array(reservationSchema) });

interface AgentAllowanceDeps {
  /** The file that all windows and processes share, in a folder of its own. */
  readonly path: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the maximum number of requests in any hour, for each source and scope; 0 allows none. */
  readonly maxPerHour: () => number;
}

/** The number of requests that agents may send to a source in a scope. */
export interface AgentBudget {
  readonly maxPerHour: number;
  readonly left: number;
  /** The instant (UTC milliseconds) from which the requests in question are allowed; 0 for now, undefined if an hour never allows them. */
  readonly allowedAt: number | undefined;
}

/** The budget before a reservation. `id` names the reservation; undefined if it is refused. */
export type Reservation = AgentBudget & { readonly id: string | undefined };

/**
 * Limits the requests that agents send in any hour, for each source (service) and scope, whether or not a person confirms them. The
 * rate limits of the key apply as well. A missing or damaged file is read as empty. The methods throw errors of the file system, so
 * requests that cannot be counted are not sent.
 */
export class AgentAllowance {
  readonly #deps: AgentAllowanceDeps;
  readonly #file: LockedText;

  constructor(deps: AgentAllowanceDeps) {
    this.#deps = deps;
    this.#file = new LockedText(deps);
  }

  /** Returns the budget, and when it allows `count` requests. Reserves nothing. */
  async getBudget(source: string, scope: string, count = 1): Promise<AgentBudget> {
    return this.#computeBudget(this.#parse(await this.#file.read()), source, scope, count);
  }

  /** Reserves requests, which count from now on. Call `settle` when it is known how many were sent. */
  async reserve(source: string, scope: string, count: number): Promise<Reservation> {
    const { clock, random } = this.#deps;
    const id = random().toString(36).slice(2);
    let budget: AgentBudget = { maxPerHour: 0, left: 0, allowedAt: undefined };
    await this.#change(reservations => {
      budget = this.#computeBudget(reservations, source, scope, count);
      return budget.allowedAt === 0 ? [...reservations, { id, source, scope, at: clock.now(), count }] : reservations;
    });
    return { ...budget, id: budget.allowedAt === 0 ? id : undefined };
  }

  /** Replaces the number of requests of a reservation by the number that was sent, including retries. */
  async settle(id: string, sent: number): Promise<void> {
    await this.#change(reservations =>
      reservations.flatMap(reservation => {
        if (reservation.id !== id) return [reservation];
        return sent > 0 ? [{ ...reservation, count: sent }] : [];
      }),
    );
  }

  async #change(update: (reservations: readonly StoredReservation[]) => readonly StoredReservation[]): Promise<void> {
    await this.#file.change(async text =>
      Promise.resolve(JSON.stringify({ version: 1, reservations: update(this.#parse(text)) })),
    );
  }

  /** Parses the reservations of the last hour. One from the future, after the clock was set back, counts from now on. */
  #parse(text: string | undefined): readonly StoredReservation[] {
    const now = this.#deps.clock.now();
    const { reservations = [] } = (text === undefined ? undefined : parseStoredJson(text, fileSchema)) ?? {};
    return reservations
      .filter(({ at }) => at > now - hourMs)
      .map(reservation => ({ ...reservation, at: Math.min(reservation.at, now) }));
  }

  #computeBudget(
    reservations: readonly StoredReservation[],
    source: string,
    scope: string,
    count: number,
  ): AgentBudget {
    const maxPerHour = this.#deps.maxPerHour();
    const used = reservations
      .filter(reservation => reservation.source === source && reservation.scope === scope)
      .sort((a, b) => a.at - b.at);
    const left = maxPerHour - used.reduce((sum, reservation) => sum + reservation.count, 0);
    let free = left;
    let allowedAt = 0;
    for (const reservation of used) {
      if (free >= count) break;
      free += reservation.count;
      allowedAt = reservation.at + hourMs;
    }
    return { maxPerHour, left: Math.max(0, left), allowedAt: count > maxPerHour ? undefined : allowedAt };
  }
}
