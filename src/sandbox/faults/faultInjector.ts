import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import type { FaultKind, FaultRule } from './faultRules.ts';

/**
 * The faults of a running sandbox. The seed and the order of requests determine which requests meet a fault, so that setting
 * the same rules again repeats the same faults.
 */
export class FaultInjector {
  readonly #seed: number;
  #rules: readonly SeededRule[] = [];
  readonly #metCounts: Partial<Record<FaultKind, number>> = {};

  constructor(seed: number, rules: readonly FaultRule[] = []) {
    this.#seed = seed;
    this.set(rules);
  }

  get rules(): readonly FaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  /** The number of requests that met each kind of fault since the start. */
  get metCounts(): Readonly<Partial<Record<FaultKind, number>>> {
    return this.#metCounts;
  }

  /** Replaces all rules and restarts their random sequences. An empty list switches all faults off. */
  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule, index) => ({ rule, draw: createRandom(this.#seed + index * 7_919) }));
  }

  /** Draws the faults of the next request of this scope. */
  draw(scope: RateLimitScope): Faults {
    const rules = this.#rules
      .filter(({ rule }) => rule.scope === undefined || rule.scope === scope)
      .filter(({ rule, draw }) => draw() < rule.rate)
      .map(({ rule }) => rule);
    return new Faults(rules, this.#seed);
  }

  /** Counts the faults that a request met. A request that the throttle rejects does not meet its drawn faults. */
  countMet(faults: Faults): void {
    for (const { kind } of faults.rules) this.#metCounts[kind] = (this.#metCounts[kind] ?? 0) + 1;
  }
}

interface SeededRule {
  readonly rule: FaultRule;
  readonly draw: () => number;
}

/** The faults of one request. */
export class Faults {
  readonly rules: readonly FaultRule[];
  readonly #seed: number;

  constructor(rules: readonly FaultRule[], seed: number) {
    this.rules = rules;
    this.#seed = seed;
  }

  /** The amount of a fault; undefined if the request does not meet it. */
  amount(kind: FaultKind): number | undefined {
    return this.rules.find(fault => fault.kind === kind)?.amount;
  }

  /** Whether the hour is missing. The same hours are missing in every response. */
  isHole(hour: number): boolean {
    const percent = this.amount('holes');
    return percent !== undefined && createRandom(this.#seed ^ Math.imul(hour, 0x9e37_79b1))() * 100 < percent;
  }
}

/** Creates a generator of pseudorandom numbers in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const blankChunkBytes = 1_048_576;

/** Creates the HTML page of a proxy whose service is down. */
export function htmlReply(status: number, headers: Readonly<Record<string, string>>): Response {
  const page = `<!DOCTYPE html>
<html><head><title>${status}</title></head><body><h1>${status}</h1><p>An HTML page of the sandbox instead of JSON.</p></body></html>
`;
  return new Response(page, {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' },
  });
}

/** Resets the connection; the response is not sent. */
export function resetConnection({ outgoing }: HttpBindings): Response {
  outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Declares the whole body, sends half of it, and ends the connection; the response is not sent. */
export async function sendTruncated(response: Response, { outgoing }: HttpBindings): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': String(body.byteLength),
  });
  if (!outgoing.write(body.subarray(0, Math.floor(body.byteLength / 2)))) await once(outgoing, 'drain');
  outgoing.socket?.destroySoon();
  return RESPONSE_ALREADY_SENT;
}

/** Prepends megabytes of white space to a JSON response, which stays valid but is too large. */
export function createOversized(response: Response, megabytes: number): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const blankChunk = new Uint8Array(blankChunkBytes).fill(0x20);
  let remaining = megabytes;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (remaining-- > 0) {
          controller.enqueue(blankChunk);
          return;
        }
        const next = await reader?.read();
        if (next?.value) controller.enqueue(next.value);
        else controller.close();
      },
      cancel: async reason => reader?.cancel(reason),
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { status: response.status, headers });
}
