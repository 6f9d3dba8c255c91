import * as vscode from 'vscode';
import type { Connection } from '../../core/connection.ts';
import type { Price } from '../../core/plan.ts';
import { askedSpan, type ResolvedQuery } from '../../core/query.ts';
import { displayZone } from '../settings.ts';
import { questionTitle } from './budget.ts';
import { count, requests, steps } from './numbers.ts';
import { spanText } from './times.ts';
import { planText } from './waiting.ts';

/** What a tool's call costs, and what there is already. */
export interface ToolCost {
  readonly price: Price;
  readonly query: ResolvedQuery;
  readonly kept?: { readonly kept: number; readonly expected: number };
  /** Requests that could go at once; undefined where that is not known. */
  readonly left?: number | undefined;
}

/** `System state · last 7 days · hourly, 14 Nov 05:00 – 21 Nov 05:00 UTC, Power Signals`. */
export function toolTitle(query: ResolvedQuery, { name }: Connection): string {
  return [questionTitle(query), spanText(askedSpan(query), query.days?.zone ?? displayZone()), name].join(', ');
}

/** “2 of the 8 requests left. 144 of 168 hours are in the archive.”, “This needs 9 requests: 3 now, 6 over about 2 min.” */
export function costText({ price, kept = { kept: 0, expected: 0 }, query, left }: ToolCost): string {
  const { t } = vscode.l10n;
  if (price.requests === 0) return t('No request: all that can be had is in the archive.');
  if (price.waitMs > 0) return planText(price, kept, query);
  const cost =
    left === undefined
      ? t('This needs {0}.', requests(price.requests))
      : t('This needs {0} of the {1} left.', requests(price.requests), count(left));
  if (kept.kept === 0) return cost;
  return `${cost} ${t('{0} of {1} are in the archive.', count(kept.kept), steps(kept.expected, query.interval))}`;
}
