import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatDayInterval, normalizeInterval, parseDayZone } from '../../core/bins/dayInterval.ts';
import { findDataset, isInterval, getMembers, queriedDatasets } from '../../core/query/catalogue.ts';
import type { Dataset, QueriedDataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { parseParams, type Query } from '../../core/query/query.ts';
import { formatShortZone, utc } from '../../core/time/zone.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { datasetTitle, translateParamMeaning } from '../messages/catalogue.ts';
import { intervalName } from '../messages/numbers.ts';
import { formatPrice } from '../messages/waiting.ts';
import { describeQueryProblem } from '../messages/problems.ts';
import { estimateCost, describeTypedQuery, rangeStep, type RangeContext } from './rangeStep.ts';
import { pickZone } from './pickZone.ts';
import { runStep, runSteps, input, pick, storeOutcome } from '../messages/prompts.ts';
import type { PromptStep, StepOutcome, StepPosition } from '../messages/prompts.ts';

export interface QueryPromptOptions {
  readonly now: number;
  /** The time zone of the query's days, unless the user chooses another one. */
  readonly zone: DisplayZone;
  /** The query that is offered first: the last query, or the query to change. */
  readonly last: Query | undefined;
  /** The dataset, if the command specifies it. Otherwise the user is prompted for it. */
  readonly dataset?: string;
  /** The name of the connection, which the title shows. */
  readonly connection: string;
  readonly estimateRequests?: RangeContext['estimateRequests'];
  /** The title, if the prompt is not for running a query. */
  readonly title?: string;
  /** Prompts for the range only. */
  readonly rangeOnly?: boolean;
  /** Further steps at the end, which receive the query so far. */
  readonly extraSteps?: (draft: () => Query) => readonly PromptStep[];
}

/** Creates a function that prices queries for a connection. Sample Data, which may not be running, has no price. */
export function createRequestEstimator(
  pricing: Pick<RequestPricing, 'computeTotalPrice'>,
  connection: Connection,
): NonNullable<RangeContext['estimateRequests']> {
  return async query => {
    if (connection.service === 'sandbox') return undefined;
    try {
      return formatPrice(await pricing.computeTotalPrice([{ query, connection }]));
    } catch {
      // An error, such as a missing key, is shown when the query runs.
      return undefined;
    }
  };
}

interface DraftQuery {
  dataset: string;
  range: string;
  interval: string;
  params: Readonly<Record<string, string>>;
  timeZone: string;
}

/** Prompts for dataset, range and interval, with a Back button. Returns undefined if the user cancels. */
export async function promptQuery(options: QueryPromptOptions): Promise<Query | undefined> {
  const first = options.dataset ?? options.last?.dataset ?? queriedDatasets[0]?.id ?? '';
  const draft: DraftQuery = createDraft(first, options);
  const promptDatasetStep = async (position: StepPosition): Promise<StepOutcome<string>> => {
    const outcome = await pickDataset(position, draft.dataset, options.zone);
    if (outcome.kind === 'next' && outcome.value !== draft.dataset)
      Object.assign(draft, createDraft(outcome.value, options));
    return outcome;
  };
  const promptRangeStep = async (position: StepPosition): Promise<StepOutcome<string>> => {
    const outcome = rangeStep(position, {
      now: options.now,
      draft,
      chooseZone: async () => {
        draft.timeZone = (await pickZone(t('Days and Months'), draft.timeZone))?.timeZone ?? draft.timeZone;
      },
      estimateRequests: options.estimateRequests,
      formatParams: () => formatParams(draft.params),
      editParams: async () => {
        draft.params = (await promptParams(draft)) ?? draft.params;
      },
    });
    return storeOutcome(outcome, range => (draft.range = range));
  };
  const choices = (): readonly string[] => {
    const dataset = findDataset(draft.dataset);
    return dataset ? intervalChoices(dataset, options.zone, draft.interval) : [];
  };
  const promptIntervalStep = async (position: StepPosition): Promise<StepOutcome<string>> => {
    return storeOutcome(pickInterval(position, choices(), draft, options), interval => (draft.interval = interval));
  };
  const title = options.title ?? t('Run Query · {0}', options.connection);
  const steps: PromptStep[] = [
    { prompt: promptDatasetStep, isNeeded: () => options.dataset === undefined },
    { prompt: promptRangeStep },
    { prompt: promptIntervalStep, isNeeded: () => options.rangeOnly !== true },
    ...(options.extraSteps?.(() => ({ ...draft })) ?? []),
  ];
  return (await runSteps(title, steps)) ? { ...draft } : undefined;
}

/** Prompts for an interval only, from a list or as text. Returns undefined if the user cancels. */
export async function promptInterval(
  choices: readonly string[],
  query: Query,
  context: IntervalContext,
): Promise<string | undefined> {
  return runStep(t('Interval'), async position => pickInterval(position, choices, query, context));
}

/**
 * Lists the intervals of a dataset, and days of the displayed time zone. These come before the service's own days, unless the
 * zone is UTC, in which the service has its days. Days of another zone stay in the list if they are the current interval.
 */
export function intervalChoices({ intervals }: QueriedDataset, zone: DisplayZone, current: string): readonly string[] {
  const currentDays = parseDayZone(current) ? [current] : [];
  const days = formatDayInterval(zone);
  const localDays = currentDays.some(interval => normalizeInterval(interval) === days)
    ? currentDays
    : [days, ...currentDays];
  const finer = intervals.filter(interval => interval !== '1d');
  const daily = intervals.filter(interval => interval === '1d');
  return zone.timeZone === utc.timeZone ? [...finer, ...daily, ...localDays] : [...finer, ...localDays, ...daily];
}

/** Creates the draft from the last query if it has this dataset, otherwise from the defaults of the dataset. */
function createDraft(dataset: string, { last, zone }: Pick<QueryPromptOptions, 'last' | 'zone'>): DraftQuery {
  const { timeZone } = zone;
  if (last?.dataset === dataset) return { ...last, timeZone };
  return { dataset, range: '', interval: findDataset(dataset)?.intervals[0] ?? '1h', params: {}, timeZone };
}

async function pickDataset(position: StepPosition, current: string, zone: DisplayZone): Promise<StepOutcome<string>> {
  const items = queriedDatasets.map(dataset => ({
    label: datasetTitle(dataset.id),
    description: intervalChoices(dataset, zone, '').map(intervalName).join(', '),
    detail: getMembers(dataset).map(formatLimit).join(' + '),
    id: dataset.id,
  }));
  items.sort((a, b) => Number(b.id === current) - Number(a.id === current));
  const outcome = await pick(position, { placeholder: t('Select a dataset'), items: () => items });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.id } : outcome;
}

function formatLimit({ limit: { requests, seconds } }: Dataset): string {
  return t('{0} requests per {1} s', requests, seconds);
}

type IntervalContext = Pick<QueryPromptOptions, 'now' | 'estimateRequests'>;

async function pickInterval(
  position: StepPosition,
  choices: readonly string[],
  query: Query,
  context: IntervalContext,
): Promise<StepOutcome<string>> {
  const current = query.interval;
  const ordered = [...choices].sort((a, b) => Number(b === current) - Number(a === current));
  const costs = new Map<string, string>();
  const item = (id: string): IntervalItem => ({
    label: id,
    description:
      choices.includes(id) || parseDayZone(id) ? describeInterval(id) : t('as typed; checked by the service'),
    // Shown before the query runs, because the range may resolve to other instants by day than by hour. The cost comes first,
    // where it is not truncated.
    detail: [costs.get(id), describeTypedQuery({ ...query, interval: id }, context.now).text]
      .filter(Boolean)
      .join(' · '),
    id,
    alwaysShow: true,
  });
  const findIntervals = (text: string): string[] => {
    const knownIntervals = ordered.filter(
      id => id.includes(text) || describeInterval(id).toLowerCase().includes(text.toLowerCase()),
    );
    // Text that matches an item, such as "daily", means that item and is not sent to the service.
    return knownIntervals.length === 0 && isInterval(text) ? [text] : knownIntervals;
  };
  const items = (typed: string): IntervalItem[] => {
    const ids = findIntervals(typed.trim());
    return ids.length > 0 ? ids.map(item) : [createInvalidIntervalItem(typed.trim())];
  };
  const outcome = await pick<IntervalItem>(position, {
    placeholder: t('Select an interval, or enter another one'),
    items,
    itemsLater: async typed => {
      for (const id of findIntervals(typed.trim())) {
        const cost = await estimateCost({ ...query, interval: id }, context);
        if (cost !== undefined) costs.set(id, cost);
      }
      return items(typed);
    },
    accepts: ({ id }) => id !== undefined,
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.id ?? '' } : outcome;
}

/** Describes the rows of an interval, and the time zone of days. */
function describeInterval(interval: string): string {
  const zone = parseDayZone(interval);
  if (zone)
    return t(
      'daily, days of {0}, calculated from hours: mean, energy, min, max, number of hours',
      formatShortZone(zone),
    );
  return interval === '1d' ? t('daily, UTC days from the service') : intervalName(interval);
}

/** An item without an id only gives information and cannot be selected. */
type IntervalItem = vscode.QuickPickItem & { readonly id?: string };

function createInvalidIntervalItem(text: string): IntervalItem {
  const label = describeQueryProblem({ problem: 'badInterval', part: text });
  return { label, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true };
}

async function promptParams(draft: DraftQuery): Promise<Record<string, string> | undefined> {
  const offered = findDataset(draft.dataset)?.params ?? [];
  const hint = offered.map(param => `${param.name}=${param.value} (${translateParamMeaning(param)})`).join(', ');
  const outcome = await input(
    { title: t('Query Parameters'), step: 1, total: 1, first: true },
    {
      prompt: hint
        ? t('name=value, separated by spaces. Known here: {0}', hint)
        : t('name=value, separated by spaces.'),
      value: formatParams(draft.params) || offered.map(param => `${param.name}=${param.value}`).join(' '),
      validate: typed =>
        parseParams(typed)
          ? undefined
          : t('Enter name=value pairs separated by spaces, without start, end or interval.'),
    },
  );
  return outcome.kind === 'next' ? parseParams(outcome.value) : undefined;
}

function formatParams(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
