import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { scopes } from '../keys/scopes.ts';

interface KindFacts {
  /** What a request meets, for help texts and pages. */
  readonly meaning: string;
  /** The unit of the amount, its bounds and default; undefined for a kind without one. */
  readonly amount?: { readonly unit: string; readonly least: number; readonly most: number; readonly usual: number };
}

/** The faults that can be switched on to test a client. */
export const faultKinds = {
  latency: { meaning: 'the answer comes later', amount: { unit: 'ms', least: 1, most: 100_000, usual: 2_000 } },
  storm: {
    meaning: '429 although there is room',
    amount: { unit: 'Retry-After, s', least: 0, most: 3_600, usual: 30 },
  },
  error: { meaning: 'a JSON error of the service', amount: { unit: 'status', least: 500, most: 599, usual: 503 } },
  html: { meaning: "a proxy's HTML page", amount: { unit: 'status', least: 200, most: 599, usual: 502 } },
  reset: { meaning: 'the connection is reset without an answer' },
  truncate: { meaning: 'the connection ends in the middle of the body' },
  late: { meaning: 'the newest data is not there yet', amount: { unit: 'hours', least: 1, most: 8_784, usual: 6 } },
  holes: { meaning: 'hours are missing', amount: { unit: '% of the hours', least: 1, most: 100, usual: 10 } },
  oversize: { meaning: 'a body blown up with blanks', amount: { unit: 'MB', least: 1, most: 1_024, usual: 64 } },
} as const satisfies Readonly<Record<string, KindFacts>>;
export type FaultKind = keyof typeof faultKinds;

/** Statuses of answers without a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** A share of the requests (of one scope, or of all) meets the fault. */
export interface FaultRule {
  readonly kind: FaultKind;
  /** More than 0, at most 1. */
  readonly rate: number;
  readonly scope: RateLimitScope | undefined;
  /** In the unit of its kind; 0 for a kind without one. */
  readonly amount: number;
}

/** How a rule is written, for help texts. */
export const faultGrammar = 'KIND[=AMOUNT][@RATE][/SCOPE]';

const pattern = /^([a-z]+)(?:=(\d+))?(?:@(\d*\.?\d+))?(?:\/([a-z_]+))?$/;

/** Reads rules such as `latency=800@0.2,error=503@0.1/features`; `none` is no rule. Returns a sentence for a wrong text. */
export function readFaultRules(text: string): readonly FaultRule[] | string {
  if (text === 'none') return [];
  const rules: FaultRule[] = [];
  for (const part of text.split(',')) {
    const [, kindText = '', amountText, rateText = '1', scopeText] = pattern.exec(part.trim()) ?? [];
    const kind = Object.keys(faultKinds).find((known): known is FaultKind => known === kindText);
    if (!kind) return `"${part}" is not ${faultGrammar} with one of the kinds ${Object.keys(faultKinds).join(', ')}.`;
    const scope = scopes.find(known => known === scopeText);
    if (scopeText !== undefined && !scope) return `"${scopeText}" is not a scope; there are ${scopes.join(' and ')}.`;
    const rate = Number(rateText);
    if (!(rate > 0 && rate <= 1)) return `The rate in "${part}" is a share of the requests: more than 0, at most 1.`;
    const facts: KindFacts = faultKinds[kind];
    const amount = Number(amountText ?? facts.amount?.usual ?? 0);
    if (amountText !== undefined && !facts.amount) return `"${kind}" takes no amount.`;
    if (facts.amount && !(amount >= facts.amount.least && amount <= facts.amount.most))
      return `The amount of "${kind}" (${facts.amount.unit}) is from ${facts.amount.least} to ${facts.amount.most}.`;
    if (kind === 'html' && bodiless.includes(amount))
      return `A page cannot come with status ${amount}, which has no body.`;
    rules.push({ kind, rate, scope, amount });
  }
  return rules;
}

/** A rule as it is written, and as the header of an answer names it: `latency=800`. */
export function describeFault({ kind, amount }: FaultRule): string {
  return 'amount' in faultKinds[kind] ? `${kind}=${amount}` : kind;
}
