import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { zoneOfDays } from '../../core/bins/dayInterval.ts';
import { datasetById } from '../../core/query/catalogue.ts';
import { normaliseRange, parseRange } from '../../core/range/parseRange.ts';
import { resolveTyped, type Query, type ResolvedQuery } from '../../core/query/query.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { zoneOf } from '../settings.ts';
import { problemSentence } from '../messages/problems.ts';
import { meaningOf, rangeWords, type RangeMeaning } from '../messages/times.ts';
import { input, pick, type StepOutcome, type StepPosition } from '../messages/prompts.ts';

export interface RangeContext {
  readonly now: number;
  /** The query so far, with the range that was used last. */
  readonly draft: Query;
  /** Prompts for the time zone of days and months. */
  readonly chooseZone: () => Promise<void>;
  /** Formats the number of requests that a query would send now; undefined if it is not known. */
  readonly requestsOf?: ((query: ResolvedQuery) => Promise<string | undefined>) | undefined;
  /** Prompts for extra query parameters. */
  readonly editParams: () => Promise<void>;
  readonly paramsText: () => string;
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
export async function rangeStep(place: StepPosition, context: RangeContext): Promise<StepOutcome<string>> {
  const params = context.paramsText();
  const known: Costs = new Map();
  const outcome = await pick<RangeItem>(place, {
    placeholder: t(
      'Pick a range, or type one: May 2023, 2023-01-01..2023-01-31, last 36 hours (days of {0})',
      daysZone(context).label,
    ),
    items: typed => rangeItems(typed, context, known),
    itemsLater: async typed => {
      await askCosts(typed, context, known);
      return rangeItems(typed, context, known);
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
    return rangeStep(place, context);
  }
  const typed = await customRange(place, context);
  return typed.kind === 'back' ? rangeStep(place, context) : typed;
}

/** The known costs by range, such as `1 request`. */
type Costs = Map<string, string>;

/** Lists the range that was used last and the presets, filtered by the typed text. */
function offeredRanges(typed: string, { draft: { range: last } }: RangeContext): string[] {
  const names = last ? [last, ...presets.filter(preset => preset !== last)] : presets;
  const word = typed.trim().toLowerCase();
  return names.filter(name => name.includes(word) || rangeWords(name).toLowerCase().includes(word));
}

async function askCosts(typed: string, context: RangeContext, known: Costs): Promise<void> {
  const ranges = [normaliseRange(typed), ...offeredRanges(typed, context)].filter(range => !known.has(range));
  const costs = await Promise.all(
    ranges.map(async range => [range, await costOf(draftOf(range, context), context)] as const),
  );
  for (const [range, cost] of costs) if (cost !== undefined) known.set(range, cost);
}

function rangeItems(typed: string, context: RangeContext, costs: Costs): RangeItem[] {
  const { range: last } = context.draft;
  const shown = offeredRanges(typed, context).map(name =>
    name === last
      ? exactItem(capitalised(rangeWords(name)), name, context, [t('last used'), costs.get(name)])
      : presetItem(name, context, costs.get(name)),
  );
  const text = normaliseRange(typed);
  const own = typed.trim() === '' ? [] : typedItems(text, context, costs.get(text));
  // The beginning of a preset is not reported as an error.
  const unfinished = own.every(item => item.range === undefined) && shown.length > 0;
  const known = unfinished || shown.some(item => item.range === text);
  const custom: RangeItem = {
    label: t('Custom…'),
    iconPath: new vscode.ThemeIcon('edit'),
    description: t('from and to, with a check while you type'),
    alwaysShow: true,
    opens: 'custom',
  };
  const zone: RangeItem = {
    label: t('Days of {0}…', daysZone(context).label),
    iconPath: new vscode.ThemeIcon('globe'),
    description: t('the time zone of days, weeks and months'),
    alwaysShow: true,
    opens: 'zone',
  };
  const hasZone = zoneOfDays(context.draft.interval) !== undefined;
  return [...(known ? [] : own), ...shown, custom, ...(hasZone ? [] : [zone])];
}

/** Creates the item of a preset, in one line, because there are many. */
function presetItem(range: string, context: RangeContext, cost: string | undefined): RangeItem {
  const { ok, text } = describe(range, context);
  const description = [text, cost].filter(Boolean).join(' · ');
  return { label: capitalised(rangeWords(range)), description, alwaysShow: true, ...(ok && { range }) };
}

/** Creates an item with the exact meaning and the cost of a range in a second line, which has room for years. */
function exactItem(
  label: string,
  range: string,
  context: RangeContext,
  beside: readonly (string | undefined)[],
): RangeItem {
  const { ok, kind, exact } = describe(range, context);
  const [description, detail] = [
    [kind, beside[0]],
    [exact, beside[1]],
  ].map(texts => texts.filter(Boolean).join(' · '));
  return { label, description: description ?? '', detail: detail ?? '', alwaysShow: true, ...(ok && { range }) };
}

/** Creates the items for typed text: its meaning if it is a range, otherwise the problem, and both readings if it is ambiguous. */
function typedItems(text: string, context: RangeContext, cost?: string): RangeItem[] {
  const { ok, exact } = describe(text, context);
  if (ok) return [exactItem(rangeWords(text), text, context, [undefined, cost])];
  const parsed = parseRange(text);
  const readings = !parsed.ok && parsed.problem === 'ambiguous' ? parsed.readings : [];
  return [
    // VS Code sorts items with the typed text in the label first, so the explanation comes above the readings.
    { label: exact, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true },
    ...readings.map(reading => exactItem(reading, reading, context, [])),
  ];
}

type Described = RangeMeaning & { readonly ok: boolean; readonly text: string };

/** Describes a range with the finest interval, or with days of a zone. The next step describes it again for each interval. */
function describe(range: string, context: RangeContext): Described {
  return describeQuery(draftOf(range, context), context.now);
}

/** Returns the time zone of the days of the query so far. */
function daysZone({ draft }: RangeContext): DisplayZone {
  return zoneOfDays(draft.interval) ?? zoneOf(draft);
}

function draftOf(range: string, { draft }: RangeContext): Query {
  const finest = datasetById(draft.dataset)?.intervals[0] ?? draft.interval;
  return { ...draft, range, interval: zoneOfDays(draft.interval) ? draft.interval : finest };
}

/** Describes a query: `1–31 Jan 2023 · 1 Jan 2023 00:00 – 1 Feb 2023 00:00 UTC · 744 hours`, or why its text is not a range. */
export function describeQuery(query: Query, now: number): Described {
  const resolved = resolveTyped(query, now);
  if (!resolved.ok) {
    const sentence = problemSentence(resolved);
    return { ok: false, kind: undefined, exact: sentence, text: sentence };
  }
  const { kind, exact } = meaningOf(resolved.value, zoneOf(query), now);
  return { ok: true, kind, exact, text: [kind, exact].filter(Boolean).join(' · ') };
}

/** Estimates the cost of a query, such as `1 request`; undefined if it is not known. */
export async function costOf(
  query: Query,
  context: Pick<RangeContext, 'now' | 'requestsOf'>,
): Promise<string | undefined> {
  const resolved = resolveTyped(query, context.now);
  return resolved.ok ? context.requestsOf?.(resolved.value) : undefined;
}

async function customRange(place: StepPosition, context: RangeContext): Promise<StepOutcome<string>> {
  const check = (typed: string, cost?: string): vscode.InputBoxValidationMessage => {
    const { ok, text } = describe(normaliseRange(typed), context);
    const { Info, Error } = vscode.InputBoxValidationSeverity;
    return ok
      ? { message: [text, cost].filter(Boolean).join(' · '), severity: Info }
      : { message: text, severity: Error };
  };
  const outcome = await input(
    { ...place, first: false },
    {
      prompt: t(
        "A range: from..to, a year, half, quarter, month, week or day, or 'last' and a length. Days are those of {0}.",
        daysZone(context).label,
      ),
      placeholder: '2023-01-01..2023-01-31',
      value: parseRange(context.draft.range).ok ? rangeWords(context.draft.range) : '',
      validate: check,
      validateLater: async typed => check(typed, await costOf(draftOf(normaliseRange(typed), context), context)),
    },
  );
  return outcome.kind === 'next' ? { kind: 'next', value: normaliseRange(outcome.value) } : outcome;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
