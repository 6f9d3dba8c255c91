import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { scopes } from '../keys/scopes.ts';

interface FaultKindInfo {
  /** A description for help texts and pages. */
  readonly meaning: string;
  /** The unit of the amount, its bounds and default; undefined for a kind without one. */
  readonly amount?: { readonly unit: string; readonly min: number; readonly max: number; readonly default: number };
}

/** The faults that can be switched on to test a client. */
export const faultKinds = {
  latency: { meaning: 'the response is delayed', amount: { unit: 'ms', min: 1, max: 100_000, default: 2_000 } },
  storm: {
    meaning: '429 although there is room',
    amount: { unit: 'Retry-After, s', min: 0, max: 3_600, default: 30 },
  },
  error: { meaning: 'a JSON error of the service', amount: { unit: 'status', min: 500, max: 599, default: 503 } },
  html: { meaning: "a proxy's HTML page", amount: { unit: 'status', min: 200, max: 599, default: 502 } },
  reset: { meaning: 'the connection is reset without a response' },
  truncate: { meaning: 'the connection ends in the middle of the body' },
  late: { meaning: 'the newest data is not there yet', amount: { unit: 'hours', min: 1, max: 8_784, default: 6 } },
  holes: { meaning: 'hours are missing', amount: { unit: '% of the hours', min: 1, max: 100, default: 10 } },
  oversize: { meaning: 'a body blown up with blanks', amount: { unit: 'MB', min: 1, max: 1_024, default: 64 } },
} as const satisfies Readonly<Record<string, FaultKindInfo>>;
export type FaultKind = keyof typeof faultKinds;

/** Statuses of responses without a body. */
const bodilessStatuses: readonly number[] = [204, 205, 304];

/** A fault, and the share of requests, of one scope or of all, that meet it. */
export interface FaultRule {
  readonly kind: FaultKind;
  /** More than 0, at most 1. */
  readonly rate: number;
  readonly scope: RateLimitScope | undefined;
  /** In the unit of its kind; 0 for a kind without one. */
  readonly amount: number;
}

/** The syntax of a rule, for help texts. */
export const faultGrammar = 'KIND[=AMOUNT][@RATE][/SCOPE]';

const rulePattern = /^([a-z]+)(?:=(\d+))?(?:@(\d*\.?\d+))?(?:\/([a-z_]+))?$/;

/** Parses rules such as `latency=800@0.2,error=503@0.1/features`; `none` stands for no rules. Returns an error message for an invalid text. */
export function parseFaultRules(text: string): readonly FaultRule[] | string {
  if (text === 'none') return [];
  const rules: FaultRule[] = [];
  for (const part of text.split(',')) {
    const [, kindText = '', amountText, rateText = '1', scopeText] = rulePattern.exec(part.trim()) ?? [];
    const kind = Object.keys(faultKinds).find((name): name is FaultKind => name === kindText);
    if (!kind) return `"${part}" is not ${faultGrammar} with one of the kinds ${Object.keys(faultKinds).join(', ')}.`;
    const scope = scopes.find(name => name === scopeText);
    if (scopeText !== undefined && !scope) return `"${scopeText}" is not a scope; there are ${scopes.join(' and ')}.`;
    const rate = Number(rateText);
    if (!(rate > 0 && rate <= 1)) return `The rate in "${part}" is a share of the requests: more than 0, at most 1.`;
    const info: FaultKindInfo = faultKinds[kind];
    const amount = Number(amountText ?? info.amount?.default ?? 0);
    if (amountText !== undefined && !info.amount) return `"${kind}" takes no amount.`;
    if (info.amount && !(amount >= info.amount.min && amount <= info.amount.max))
      return `The amount of "${kind}" (${info.amount.unit}) is from ${info.amount.min} to ${info.amount.max}.`;
    if (kind === 'html' && bodilessStatuses.includes(amount))
      return `A page cannot come with status ${amount}, which has no body.`;
    rules.push({ kind, rate, scope, amount });
  }
  return rules;
}

/** Formats a fault as in a rule and in the header of a response: `latency=800`. */
export function describeFault({ kind, amount }: FaultRule): string {
  return 'amount' in faultKinds[kind] ? `${kind}=${amount}` : kind;
}
