import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseDayZone } from '../../core/bins/dayInterval.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { normalizeRange, parseRange } from '../../core/range/parseRange.ts';
import { resolveTypedQuery, type Query, type ResolvedQuery } from '../../core/query/query.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { getQueryZone } from '../settings.ts';
import { describeQueryProblem } from '../messages/problems.ts';
import { describeRange, translateRange, type RangeMeaning } from '../messages/times.ts';
import { input, pick, type StepOutcome, type StepPosition } from '../messages/prompts.ts';

export interface RangeContext {
  readonly now: number;
  /** The query so far, with the range that was used last. */
  readonly draft: Query;
  /** Prompts for the time zone of days and months. */
  readonly chooseZone: () => Promise<void>;
  /** Formats the number of requests that a query would send now; undefined if it is not known. */
  readonly estimateRequests?: ((query: ResolvedQuery) => Promise<string | undefined>) | undefined;
  /** Prompts for extra query parameters. */
  readonly editParams: () => Promise<void>;
  readonly formatParams: () => string;
}

interface RangeItem extends vscode.QuickPickItem {
  readonly range?: string;
  readonly opens?: 'custom' | 'zone';
}

const presets = [
  'last 24 hours',
  'today',
  'yesterday',
  'last 7 days',
  'last 30 days',
  'month to date',
  'last month',
  'year to date',
];

/** Prompts for the time range, as a preset or as text. Each item shows the instants that it resolves to. */
export async function rangeStep(position: StepPosition, context: RangeContext): Promise<StepOutcome<string>> {
  const params = context.formatParams();
  const costs: Costs = new Map();
  const outcome = await pick<RangeItem>(position, {
    placeholder: t(
      'Select a range, or type one: May 2023, 2023-01-01..2023-01-31, last 36 hours (days of {0})',
      getDayZone(context).label,
    ),
    items: typed => createRangeItems(typed, context, costs),
    itemsLater: async typed => {
      await loadCosts(typed, context, costs);
      return createRangeItems(typed, context, costs);
    },
    accepts: item => item.range !== undefined || item.opens !== undefined,
    buttons: [
      {
        iconPath: new vscode.ThemeIcon('settings'),
        tooltip: params ? t('Query parameters: {0}', params) : t('Add query parameters (name=value)…'),
        press: context.editParams,
      },
    ],
  });
  if (outcome.kind !== 'next') return outcome;
  const { range, opens } = outcome.value;
  if (opens === undefined) return { kind: 'next', value: range ?? '' };
  if (opens === 'zone') {
    await context.chooseZone();
    return rangeStep(position, context);
  }
  const typed = await promptCustomRange(position, context);
  return typed.kind === 'back' ? rangeStep(position, context) : typed;
}

/** The known costs by range, such as `1 request`. */
type Costs = Map<string, string>;

/** Lists the range that was used last and the presets, filtered by the typed text. */
function filterRanges(typed: string, { draft: { range: last } }: RangeContext): string[] {
  const names = last ? [last, ...presets.filter(preset => preset !== last)] : presets;
  const word = typed.trim().toLowerCase();
  return names.filter(name => name.includes(word) || translateRange(name).toLowerCase().includes(word));
}

async function loadCosts(typed: string, context: RangeContext, knownCosts: Costs): Promise<void> {
  const ranges = [normalizeRange(typed), ...filterRanges(typed, context)].filter(range => !knownCosts.has(range));
  const loadedCosts = await Promise.all(
    ranges.map(async range => [range, await estimateCost(withRange(range, context), context)] as const),
  );
  for (const [range, cost] of loadedCosts) if (cost !== undefined) knownCosts.set(range, cost);
}

function createRangeItems(typed: string, context: RangeContext, costs: Costs): RangeItem[] {
  const { range: last } = context.draft;
  const offeredItems = filterRanges(typed, context).map(name =>
    name === last
      ? createDetailedItem(capitalize(translateRange(name)), name, context, [t('last used'), costs.get(name)])
      : createPresetItem(name, context, costs.get(name)),
  );
  const text = normalizeRange(typed);
  const typedRanges = typed.trim() === '' ? [] : createTypedItems(text, context, costs.get(text));
  // The beginning of a preset is not reported as an error.
  const unfinished = typedRanges.every(item => item.range === undefined) && offeredItems.length > 0;
  const hidesTypedRange = unfinished || offeredItems.some(item => item.range === text);
  const customItem: RangeItem = {
    label: t('Custom…'),
    iconPath: new vscode.ThemeIcon('edit'),
    description: t('from and to, with a check while you type'),
    alwaysShow: true,
    opens: 'custom',
  };
  const zoneItem: RangeItem = {
    label: t('Days of {0}…', getDayZone(context).label),
    iconPath: new vscode.ThemeIcon('globe'),
    description: t('the time zone of days, weeks and months'),
    alwaysShow: true,
    opens: 'zone',
  };
  const hasZone = parseDayZone(context.draft.interval) !== undefined;
  return [...(hidesTypedRange ? [] : typedRanges), ...offeredItems, customItem, ...(hasZone ? [] : [zoneItem])];
}

/** Creates the item of a preset, in one line, because there are many. */
function createPresetItem(range: string, context: RangeContext, cost: string | undefined): RangeItem {
  const { ok, text } = describeTypedRange(range, context);
  const description = [text, cost].filter(Boolean).join(' · ');
  return { label: capitalize(translateRange(range)), description, alwaysShow: true, ...(ok && { range }) };
}

/** Creates an item with the exact meaning and the cost of a range in a second line, which has room for years. */
function createDetailedItem(
  label: string,
  range: string,
  context: RangeContext,
  extraTexts: readonly (string | undefined)[],
): RangeItem {
  const { ok, kind, exact } = describeTypedRange(range, context);
  const description = [kind, extraTexts[0]].filter(Boolean).join(' · ');
  const detail = [exact, extraTexts[1]].filter(Boolean).join(' · ');
  return { label, description, detail, alwaysShow: true, ...(ok && { range }) };
}

/** Creates the items for typed text: its meaning if it is a range, otherwise the problem, and both readings if it is ambiguous. */
function createTypedItems(text: string, context: RangeContext, cost?: string): RangeItem[] {
  const { ok, exact } = describeTypedRange(text, context);
  if (ok) return [createDetailedItem(translateRange(text), text, context, [undefined, cost])];
  const parsed = parseRange(text);
  const readings = !parsed.ok && parsed.problem === 'ambiguous' ? parsed.readings : [];
  return [
    // VS Code sorts items with the typed text in the label first, so the explanation comes above the readings.
    { label: exact, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true },
    ...readings.map(reading => createDetailedItem(reading, reading, context, [])),
  ];
}

type RangeDescription = RangeMeaning & { readonly ok: boolean; readonly text: string };

/** Describes a range with the finest interval, or with days of a zone. The next step describes it again for each interval. */
function describeTypedRange(range: string, context: RangeContext): RangeDescription {
  return describeTypedQuery(withRange(range, context), context.now);
}

/** Returns the time zone of the days of the query so far. */
function getDayZone({ draft }: RangeContext): DisplayZone {
  return parseDayZone(draft.interval) ?? getQueryZone(draft);
}

function withRange(range: string, { draft }: RangeContext): Query {
  const finest = findDataset(draft.dataset)?.intervals[0] ?? draft.interval;
  return { ...draft, range, interval: parseDayZone(draft.interval) ? draft.interval : finest };
}

/** Describes a query: `1–31 Jan 2023 · 1 Jan 2023 00:00 – 1 Feb 2023 00:00 UTC · 744 hours`, or why its text is not a range. */
export function describeTypedQuery(query: Query, now: number): RangeDescription {
  const resolved = resolveTypedQuery(query, now);
  if (!resolved.ok) {
    const sentence = describeQueryProblem(resolved);
    return { ok: false, kind: undefined, exact: sentence, text: sentence };
  }
  const { kind, exact } = describeRange(resolved.value, getQueryZone(query), now);
  return { ok: true, kind, exact, text: [kind, exact].filter(Boolean).join(' · ') };
}

/** Estimates the cost of a query, such as `1 request`; undefined if it is not known. */
export async function estimateCost(
  query: Query,
  context: Pick<RangeContext, 'now' | 'estimateRequests'>,
): Promise<string | undefined> {
  const resolved = resolveTypedQuery(query, context.now);
  return resolved.ok ? context.estimateRequests?.(resolved.value) : undefined;
}

async function promptCustomRange(position: StepPosition, context: RangeContext): Promise<StepOutcome<string>> {
  const check = (typed: string, cost?: string): vscode.InputBoxValidationMessage => {
    const { ok, text } = describeTypedRange(normalizeRange(typed), context);
    const { Info, Error } = vscode.InputBoxValidationSeverity;
    return ok
      ? { message: [text, cost].filter(Boolean).join(' · '), severity: Info }
      : { message: text, severity: Error };
  };
  const outcome = await input(
    { ...position, first: false },
    {
      prompt: t(
        "A range: from..to, a year, half, quarter, month, week or day, or 'last' and a length. Days are those of {0}.",
        getDayZone(context).label,
      ),
      placeholder: '2023-01-01..2023-01-31',
      value: parseRange(context.draft.range).ok ? translateRange(context.draft.range) : '',
      validate: check,
      validateLater: async typed =>
        check(typed, await estimateCost(withRange(normalizeRange(typed), context), context)),
    },
  );
  return outcome.kind === 'next' ? { kind: 'next', value: normalizeRange(outcome.value) } : outcome;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
