import type { Clock } from '../../src/core/ports.ts';

export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** The service to hold against the contract. */
export interface ContractTarget {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  /** A key that was revoked, for the clause about it. */
  readonly revokedKey?: string | undefined;
  readonly limits: Readonly<Record<string, Limit>>;
  /** So many requests with the key at most, whatever becomes of them. */
  readonly budget: number;
  readonly clock: Clock;
}

/** One answer, read to its end. */
export interface Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Ask {
  /** The key to send; undefined for none. The target's if left out. */
  readonly key?: string | undefined;
  /** Asks although the limit is reached. */
  readonly overLimit?: boolean;
}

/** A clause cannot be checked; the message says why. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** How long after the end of a window it is taken for over: clocks and wires differ. */
const marginMs = 250;
const mostWaits = 3;

/** Asks the service without going over its limits or the budget: it waits where a limit is reached. */
export class ContractClient {
  readonly target: ContractTarget;
  /** Everything that was answered, in its order. */
  readonly answers: Answer[] = [];
  readonly #counted = new Map<string, number[]>();
  #spent = 0;

  constructor(target: ContractTarget) {
    this.target = target;
  }

  get spent(): number {
    return this.#spent;
  }

  /** `scope` is that of the path, undefined for a path without one. */
  async ask(scope: string | undefined, path: string, ask: Ask = {}): Promise<Answer> {
    for (let waits = 0; ; waits++) {
      if (!ask.overLimit) await this.waitForRoom(scope, 1);
      const answer = await this.#send(scope, path, ask);
      if (answer.status !== 429 || ask.overLimit || waits === mostWaits) return answer;
      // Somebody else uses the key as well.
      await this.target.clock.sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000 + marginMs);
    }
  }

  /** Waits until so many requests of the scope are free, as far as this client can know. */
  async waitForRoom(scope: string | undefined, requests: number): Promise<void> {
    const limit = scope === undefined ? undefined : this.target.limits[scope];
    if (scope === undefined || !limit) return;
    const { clock } = this.target;
    const counted = this.#counted.get(scope) ?? [];
    while (counted.length + requests > limit.requests) {
      const oldest = counted.shift() ?? 0;
      await clock.sleep(Math.max(0, oldest + limit.seconds * 1_000 + marginMs - clock.now()));
    }
  }

  async #send(scope: string | undefined, path: string, ask: Ask): Promise<Answer> {
    const key = 'key' in ask ? ask.key : this.target.key;
    const charged = key === this.target.key && scope !== undefined;
    if (charged && this.#spent >= this.target.budget) throw new NotChecked('the budget of requests is spent');
    if (charged) this.#spent += 1;
    const response = await fetch(this.target.baseUrl + path, {
      headers: key === undefined ? {} : { 'x-api-key': key },
      redirect: 'manual',
    });
    const text = await response.text();
    const { status, headers } = response;
    if (charged && status !== 429)
      this.#counted.set(scope, [...(this.#counted.get(scope) ?? []), this.target.clock.now()]);
    const answer = { method: 'GET', path, status, headers, text };
    this.answers.push(answer);
    return answer;
  }
}
