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
