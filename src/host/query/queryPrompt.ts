import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { dayIntervalOf, normalInterval, zoneOfDays } from '../../core/bins/dayInterval.ts';
import { datasetById, isInterval, membersOf, queriedDatasets } from '../../core/query/catalogue.ts';
import type { Dataset, QueriedDataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { parseParams, type Query } from '../../core/query/query.ts';
import { shortZone, utc } from '../../core/time/zone.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { datasetTitle, paramMeaning } from '../messages/catalogue.ts';
import { intervalName } from '../messages/numbers.ts';
import { priceText } from '../messages/waiting.ts';
import { problemSentence } from '../messages/problems.ts';
import { costOf, describeQuery, rangeStep, type RangeContext } from './rangeStep.ts';
import { pickZone } from './pickZone.ts';
import { askAlone, askSteps, input, pick, taken } from '../messages/prompts.ts';
import type { Step, StepOutcome, StepPosition } from '../messages/prompts.ts';

export interface QueryPromptOptions {
  readonly now: number;
  /** The time zone of the query's days, unless the person chooses another one. */
  readonly zone: DisplayZone;
  /** The query that is offered first: the last one, or the one to change. */
  readonly last: Query | undefined;
  /** The dataset, if the command specifies it; then it is not prompted for. */
  readonly dataset?: string;
  /** The name of the connection, which the title shows. */
  readonly connection: string;
  readonly requestsOf?: RangeContext['requestsOf'];
  /** The title, if the prompt is not for running a query. */
  readonly title?: string;
  /** Prompts for the range only. */
  readonly rangeOnly?: boolean;
  /** Further steps at the end, which receive the query so far. */
  readonly more?: (draft: () => Query) => readonly Step[];
}

/** Creates a function that prices queries for a connection. Sample Data, which may not be running, has no price. */
export function requestsAt(
  pricing: Pick<RequestPricing, 'priceOf'>,
  connection: Connection,
): NonNullable<RangeContext['requestsOf']> {
  return async query => {
    if (connection.service === 'sandbox') return undefined;
    try {
      return priceText(await pricing.priceOf([{ query, connection }]));
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

/** Prompts for dataset, range and interval, with a Back button. Returns undefined if the person cancels. */
export async function promptQuery(options: QueryPromptOptions): Promise<Query | undefined> {
  const first = options.dataset ?? options.last?.dataset ?? queriedDatasets[0]?.id ?? '';
  const draft: DraftQuery = draftFor(first, options);
  const askDataset = async (place: StepPosition): Promise<StepOutcome<string>> => {
    const outcome = await datasetStep(place, draft.dataset, options.zone);
    if (outcome.kind === 'next' && outcome.value !== draft.dataset)
      Object.assign(draft, draftFor(outcome.value, options));
    return outcome;
  };
  const askRange = async (place: StepPosition): Promise<StepOutcome<string>> => {
    const asked = rangeStep(place, {
      now: options.now,
      draft,
      chooseZone: async () => {
        draft.timeZone = (await pickZone(t('Days and Months'), draft.timeZone))?.timeZone ?? draft.timeZone;
      },
      requestsOf: options.requestsOf,
      paramsText: () => paramsText(draft.params),
      editParams: async () => {
        draft.params = (await promptParams(draft)) ?? draft.params;
      },
    });
    return taken(asked, range => (draft.range = range));
  };
  const choices = (): readonly string[] => {
    const dataset = datasetById(draft.dataset);
    return dataset ? intervalChoices(dataset, options.zone, draft.interval) : [];
  };
  const askInterval = async (place: StepPosition): Promise<StepOutcome<string>> => {
    return taken(intervalStep(place, choices(), draft, options), interval => (draft.interval = interval));
  };
  const title = options.title ?? t('Run Query · {0}', options.connection);
  const steps: Step[] = [
    { ask: askDataset, isNeeded: () => options.dataset === undefined },
    { ask: askRange },
    { ask: askInterval, isNeeded: () => options.rangeOnly !== true },
    ...(options.more?.(() => ({ ...draft })) ?? []),
  ];
  return (await askSteps(title, steps)) ? { ...draft } : undefined;
}

/** Prompts for an interval only, from a list or as text. Returns undefined if the person cancels. */
export async function promptInterval(
  choices: readonly string[],
  query: Query,
  context: IntervalContext,
): Promise<string | undefined> {
  return askAlone(t('Interval'), async place => intervalStep(place, choices, query, context));
}

/**
 * Lists the intervals of a dataset, and days of the displayed time zone. These come before the service's own days, unless the
 * zone is UTC, in which the service has its days. Days of another zone stay in the list if they are the current interval.
 */
export function intervalChoices({ intervals }: QueriedDataset, zone: DisplayZone, current: string): readonly string[] {
  const made = zoneOfDays(current) ? [current] : [];
  const days = dayIntervalOf(zone);
  const own = made.some(interval => normalInterval(interval) === days) ? made : [days, ...made];
  const finer = intervals.filter(interval => interval !== '1d');
  const daily = intervals.filter(interval => interval === '1d');
  return zone.timeZone === utc.timeZone ? [...finer, ...daily, ...own] : [...finer, ...own, ...daily];
}

/** Creates the draft from the last query if it has this dataset, otherwise from the defaults of the dataset. */
function draftFor(dataset: string, { last, zone }: Pick<QueryPromptOptions, 'last' | 'zone'>): DraftQuery {
  const { timeZone } = zone;
  if (last?.dataset === dataset) return { ...last, timeZone };
  return { dataset, range: '', interval: datasetById(dataset)?.intervals[0] ?? '1h', params: {}, timeZone };
}

async function datasetStep(place: StepPosition, current: string, zone: DisplayZone): Promise<StepOutcome<string>> {
  const items = queriedDatasets.map(dataset => ({
    label: datasetTitle(dataset.id),
    description: intervalChoices(dataset, zone, '').map(intervalName).join(', '),
    detail: membersOf(dataset).map(limitText).join(' + '),
    id: dataset.id,
  }));
  items.sort((a, b) => Number(b.id === current) - Number(a.id === current));
  const outcome = await pick(place, { placeholder: t('Select a dataset'), items: () => items });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.id } : outcome;
}

function limitText({ limit: { requests, seconds } }: Dataset): string {
  return t('{0} requests per {1} s', requests, seconds);
}

/** What it takes to describe and price a query with an interval. */
type IntervalContext = Pick<QueryPromptOptions, 'now' | 'requestsOf'>;

async function intervalStep(
  place: StepPosition,
  choices: readonly string[],
  query: Query,
  context: IntervalContext,
): Promise<StepOutcome<string>> {
  const current = query.interval;
  const ordered = [...choices].sort((a, b) => Number(b === current) - Number(a === current));
  const costs = new Map<string, string>();
  const item = (id: string): IntervalItem => ({
    label: id,
    description: choices.includes(id) || zoneOfDays(id) ? kindOf(id) : t('as typed; the service decides'),
    // Shown before the query runs, because the range may resolve to other instants by day than by hour. The cost comes first,
    // where it is not truncated.
    detail: [costs.get(id), describeQuery({ ...query, interval: id }, context.now).text].filter(Boolean).join(' · '),
    id,
    alwaysShow: true,
  });
  const idsFor = (text: string): string[] => {
    const known = ordered.filter(id => id.includes(text) || kindOf(id).toLowerCase().includes(text.toLowerCase()));
    // Text that matches an item, such as "daily", means that item and is not sent to the service.
    return known.length === 0 && isInterval(text) ? [text] : known;
  };
  const items = (typed: string): IntervalItem[] => {
    const ids = idsFor(typed.trim());
    return ids.length > 0 ? ids.map(item) : [noInterval(typed.trim())];
  };
  const outcome = await pick<IntervalItem>(place, {
    placeholder: t('Select an interval, or enter another one'),
    items,
    itemsLater: async typed => {
      for (const id of idsFor(typed.trim())) {
        const cost = await costOf({ ...query, interval: id }, context);
        if (cost !== undefined) costs.set(id, cost);
      }
      return items(typed);
    },
    accepts: ({ id }) => id !== undefined,
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.id ?? '' } : outcome;
}

/** Describes the rows of an interval, and the time zone of days. */
function kindOf(interval: string): string {
  const zone = zoneOfDays(interval);
  if (zone) return t('daily, days of {0}, made from hours: mean, energy, min, max, number of hours', shortZone(zone));
  return interval === '1d' ? t('daily, days of UTC, as the service makes them') : intervalName(interval);
}

/** An item without an id only explains and cannot be chosen. */
type IntervalItem = vscode.QuickPickItem & { readonly id?: string };

function noInterval(text: string): IntervalItem {
  const label = problemSentence({ problem: 'badInterval', part: text });
  return { label, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true };
}

async function promptParams(draft: DraftQuery): Promise<Record<string, string> | undefined> {
  const offered = datasetById(draft.dataset)?.params ?? [];
  const hint = offered.map(param => `${param.name}=${param.value} (${paramMeaning(param)})`).join(', ');
  const outcome = await input(
    { title: t('Query Parameters'), step: 1, total: 1, first: true },
    {
      prompt: hint
        ? t('name=value, separated by spaces. Known here: {0}', hint)
        : t('name=value, separated by spaces.'),
      value: paramsText(draft.params) || offered.map(param => `${param.name}=${param.value}`).join(' '),
      validate: typed =>
        parseParams(typed)
          ? undefined
          : t('Enter name=value pairs separated by spaces, without start, end or interval.'),
    },
  );
  return outcome.kind === 'next' ? parseParams(outcome.value) : undefined;
}

function paramsText(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
