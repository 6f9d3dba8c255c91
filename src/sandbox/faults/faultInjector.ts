import { once } from 'node:events';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import type { FaultKind, FaultRule } from './faultRules.ts';

/**
 * The faults of a running sandbox. The seed and the order of requests decide which of them meet a fault: the same rules, set
 * anew, give the same requests the same faults.
 */
export class FaultInjector {
  readonly #seed: number;
  #rules: readonly Drawn[] = [];
  readonly #met: Partial<Record<FaultKind, number>> = {};

  constructor(seed: number, rules: readonly FaultRule[] = []) {
    this.#seed = seed;
    this.set(rules);
  }

  get rules(): readonly FaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  /** How many requests have met each kind since the start. */
  get met(): Readonly<Partial<Record<FaultKind, number>>> {
    return this.#met;
  }

  /** Replaces all rules, and starts their sequences again; an empty list switches all off. */
  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule, index) => ({ rule, draw: sequence(this.#seed + index * 7_919) }));
  }

  /** The faults that the next request of this scope meets. */
  draw(scope: RateLimitScope): Faults {
    const drawn = this.#rules
      .filter(({ rule }) => rule.scope === undefined || rule.scope === scope)
      .filter(({ rule, draw }) => draw() < rule.rate)
      .map(({ rule }) => rule);
    return new Faults(drawn, this.#seed);
  }

  /** Counts the faults that a request met: not all that were drawn, where the limit refuses it first. */
  count(faults: Faults): void {
    for (const { kind } of faults.all) this.#met[kind] = (this.#met[kind] ?? 0) + 1;
  }
}

interface Drawn {
  readonly rule: FaultRule;
  readonly draw: () => number;
}

/** The faults of one request. */
export class Faults {
  readonly all: readonly FaultRule[];
  readonly #seed: number;

  constructor(all: readonly FaultRule[], seed: number) {
    this.all = all;
    this.#seed = seed;
  }

  /** The amount of a fault that is met, undefined for one that is not. */
  amount(kind: FaultKind): number | undefined {
    return this.all.find(fault => fault.kind === kind)?.amount;
  }

  /** Whether upstream never delivered that hour: the same hours in every answer. */
  isHole(hour: number): boolean {
    const percent = this.amount('holes');
    return percent !== undefined && sequence(this.#seed ^ Math.imul(hour, 0x9e37_79b1))() * 100 < percent;
  }
}

/** Numbers in [0, 1) that look random (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const blanks = 1_048_576;

/** The page of a proxy whose service is down. */
export function htmlReply(status: number, headers: Readonly<Record<string, string>>): Response {
  const page = `<!DOCTYPE html>
<html><head><title>${status}</title></head><body><h1>${status}</h1><p>A page of the sandbox, in the place of JSON.</p></body></html>
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
export async function sendTruncated(whole: Response, { outgoing }: HttpBindings): Promise<Response> {
  const body = Buffer.from(await whole.arrayBuffer());
  outgoing.writeHead(whole.status, { ...Object.fromEntries(whole.headers), 'content-length': String(body.byteLength) });
  if (!outgoing.write(body.subarray(0, Math.floor(body.byteLength / 2)))) await once(outgoing, 'drain');
  outgoing.socket?.destroySoon();
  return RESPONSE_ALREADY_SENT;
}

/** The same JSON after so many MB of white space, which JSON allows: valid, but too large. */
export function oversized(whole: Response, megabytes: number): Response {
  const headers = new Headers(whole.headers);
  headers.delete('content-length');
  const blank = new Uint8Array(blanks).fill(0x20);
  let left = megabytes;
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = whole.body?.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left-- > 0) {
          controller.enqueue(blank);
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
  return new Response(body, { status: whole.status, headers });
}
