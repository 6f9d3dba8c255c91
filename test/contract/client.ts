import type { Clock } from '../../src/core/ports.ts';

export interface Limit {
  readonly requests: number;
  readonly seconds: number;
}

/** The service to check against the contract. */
export interface ContractTarget {
  /** The address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly key: string;
  /** A key that was revoked, for the clause about it. */
  readonly revokedKey?: string | undefined;
  readonly limits: Readonly<Record<string, Limit>>;
  /** The maximum number of requests with the key, including failed ones. */
  readonly budget: number;
  readonly clock: Clock;
}

/** A response with its complete body. */
export interface ContractResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface RequestOptions {
  /** The key to send; undefined for none. Defaults to that of the target. */
  readonly key?: string | undefined;
  /** Whether to send the request although the limit is reached. */
  readonly overLimit?: boolean;
}

/** Thrown if a clause cannot be checked; the message has the reason. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** The time to wait after the end of a window, for differences between clocks and for network delays. */
const marginMs = 250;
const maxWaits = 3;

/** Sends requests within the limits of the service and the budget. Waits when a limit is reached. */
export class ContractClient {
  readonly target: ContractTarget;
  /** All responses in their order. */
  readonly responses: ContractResponse[] = [];
  readonly #counted = new Map<string, number[]>();
  #spent = 0;

  constructor(target: ContractTarget) {
    this.target = target;
  }

  get requestsSpent(): number {
    return this.#spent;
  }

  /** Sends a request. `scope` is the scope of the path, undefined for a path without one. */
  async request(scope: string | undefined, path: string, request: RequestOptions = {}): Promise<ContractResponse> {
    for (let waitCount = 0; ; waitCount++) {
      if (!request.overLimit) await this.waitForRoom(scope, 1);
      const response = await this.#send(scope, path, request);
      if (response.status !== 429 || request.overLimit || waitCount === maxWaits) return response;
      // Another client uses the same key.
      await this.target.clock.sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000 + marginMs);
    }
  }

  /** Waits until the scope has room for this number of requests, according to the requests of this client. */
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

  async #send(scope: string | undefined, path: string, options: RequestOptions): Promise<ContractResponse> {
    const key = 'key' in options ? options.key : this.target.key;
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
    const contractResponse = { method: 'GET', path, status, headers, text };
    this.responses.push(contractResponse);
    return contractResponse;
  }
}
