import * as vscode from 'vscode';
import { datasetById } from '../../core/catalogue.ts';
import { normaliseRange, parseRange } from '../../core/range/parseRange.ts';
import { resolveTyped, stepCount, type Query } from '../../core/query.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { steps as stepWords } from '../words/numbers.ts';
import { problemSentence } from '../words/problems.ts';
import { spanText } from '../words/times.ts';
import { input, pick, type Outcome, type Place } from './steps.ts';
import { utc } from '../../core/zone.ts';

export interface RangeContext {
  readonly now: number;
  /** The zone of days and months. */
  readonly zone: DisplayZone;
  /** The query so far; its range is the last one used. */
  readonly draft: Query;
  /** Asks for extra query parameters. */
  readonly editParams: () => Promise<void>;
  readonly paramsText: () => string;
}

interface RangeItem extends vscode.QuickPickItem {
  readonly range?: string;
  readonly custom?: boolean;
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

/** Asks for the time range: presets, or text typed at the same box, with what it stands for in UTC beside it. */
export async function rangeStep(place: Place, context: RangeContext): Promise<Outcome<string>> {
  const { t } = vscode.l10n;
  const params = context.paramsText();
  const outcome = await pick<RangeItem>(place, {
    placeholder: t(
      'Pick a range, or type one: 2023-05, 2023-01-01..2023-01-31, last 36 hours (days of {0})',
      context.zone.label,
    ),
    items: typed => rangeItems(typed, context),
    accepts: item => item.range !== undefined || item.custom === true,
    buttons: [
      {
        iconPath: new vscode.ThemeIcon('settings'),
        tooltip: params ? t('Query parameters: {0}', params) : t('Add query parameters (name=value)…'),
        press: context.editParams,
      },
    ],
  });
  if (outcome.kind !== 'next') return outcome;
  const { range, custom } = outcome.value;
  if (!custom) return { kind: 'next', value: range ?? '' };
  const typed = await customRange(place, context);
  return typed.kind === 'back' ? rangeStep(place, context) : typed;
}

function rangeItems(typed: string, context: RangeContext): RangeItem[] {
  const text = normaliseRange(typed);
  const last = context.draft.range;
  const names = last ? [last, ...presets.filter(preset => preset !== last)] : presets;
  const wanted = typed.trim().toLowerCase();
  const shown = names.filter(name => name.includes(wanted)).map(name => rangeItem(name, context, name === last));
  const own = typedItem(text, context);
  // A text that is on its way to a preset is no mistake yet.
  const unfinished = own.range === undefined && shown.length > 0;
  const known = text === '' || unfinished || shown.some(item => item.range === text);
  const custom: RangeItem = {
    label: vscode.l10n.t('Custom…'),
    iconPath: new vscode.ThemeIcon('edit'),
    description: vscode.l10n.t('from and to, with a check while you type'),
    alwaysShow: true,
    custom: true,
  };
  return [...(known ? [] : [own]), ...shown, custom];
}

function rangeItem(range: string, context: RangeContext, isLast: boolean): RangeItem {
  const described = describe(range, context);
  return {
    label: capitalised(range),
    description: isLast ? vscode.l10n.t('{0} · last used', described.text) : described.text,
    alwaysShow: true,
    ...(described.ok && { range }),
  };
}

/** What was typed: with its meaning when it is a range, with one sentence when it is none. */
function typedItem(text: string, context: RangeContext): RangeItem {
  const { ok, text: description } = describe(text, context);
  return ok
    ? { label: text, description, alwaysShow: true, range: text }
    : { label: description, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true };
}

/** The meaning of a range, by the finest interval there is; the next step says it again for each interval. */
function describe(range: string, context: RangeContext): { readonly ok: boolean; readonly text: string } {
  const interval = datasetById(context.draft.dataset)?.intervals[0] ?? context.draft.interval;
  return describeQuery({ ...context.draft, range, interval }, context);
}

/** `1 Jan 2023 00:00 – 1 Apr 2023 00:00 UTC · 2,160 hours`, or why the text is no range. */
export function describeQuery(
  query: Query,
  context: Pick<RangeContext, 'now' | 'zone'>,
): { readonly ok: boolean; readonly text: string } {
  const resolved = resolveTyped(query, context.now, context.zone.timeZone);
  if (!resolved.ok) return { ok: false, text: problemSentence(resolved) };
  const span = spanText(resolved.value, utc, context.now);
  const count = stepCount(resolved.value);
  return { ok: true, text: count === undefined ? span : `${span} · ${stepWords(count, resolved.value.interval)}` };
}

async function customRange(place: Place, context: RangeContext): Promise<Outcome<string>> {
  const { t } = vscode.l10n;
  const outcome = await input(
    { ...place, first: false },
    {
      prompt: t(
        'A range: from..to, a year, month, quarter, week or day, or “last” and a length. Days are those of {0}.',
        context.zone.label,
      ),
      placeholder: '2023-01-01..2023-01-31',
      value: parseRange(context.draft.range).ok ? context.draft.range : '',
      validate: typed => {
        const { ok, text } = describe(normaliseRange(typed), context);
        const { Info, Error } = vscode.InputBoxValidationSeverity;
        return { message: text, severity: ok ? Info : Error };
      },
    },
  );
  return outcome.kind === 'next' ? { kind: 'next', value: normaliseRange(outcome.value) } : outcome;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
