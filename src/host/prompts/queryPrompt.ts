import * as vscode from 'vscode';
import { datasetById, datasets, isInterval } from '../../core/catalogue.ts';
import type { Connection } from '../../core/connection.ts';
import { parseParams, type Query } from '../../core/query.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { datasetTitle, paramMeaning } from '../words/catalogue.ts';
import { intervalName } from '../words/numbers.ts';
import { problemSentence } from '../words/problems.ts';
import { describeQuery, rangeStep, type RangeContext } from './rangeStep.ts';
import { input, pick, walk, type Outcome, type Place, type Step } from './steps.ts';

export interface QueryPromptOptions {
  readonly now: number;
  readonly zone: DisplayZone;
  /** What is offered first: the last query, or the one to change. */
  readonly last: Query | undefined;
  /** Given by the command: the dataset is not asked again. */
  readonly dataset?: string;
  /** Shown in the title, so that nobody asks the wrong service. */
  readonly connection: string;
  readonly requestsOf?: RangeContext['requestsOf'];
  /** What the box is called, where it is not for running a query. */
  readonly title?: string;
  /** Only another range: nothing else is asked. */
  readonly rangeOnly?: boolean;
  /** What is asked at the end; it gets the query so far. */
  readonly more?: (draft: () => Query) => readonly Step[];
}

/** Prices queries at a connection. Sample Data, which may have to be started for that, costs nobody's budget. */
export function requestsAt(
  prices: Pick<QueryService, 'priceOf'>,
  connection: Connection,
): NonNullable<RangeContext['requestsOf']> {
  return async query => {
    if (connection.service === 'sandbox') return undefined;
    try {
      return (await prices.priceOf([{ query, connection }])).requests;
    } catch {
      // What is wrong with the key is said when the query runs.
      return undefined;
    }
  };
}

interface DraftQuery {
  dataset: string;
  range: string;
  interval: string;
  params: Readonly<Record<string, string>>;
}

/** Dataset → range → interval (only where there is a choice), with a way back. Undefined when the person left. */
export async function promptQuery(options: QueryPromptOptions): Promise<Query | undefined> {
  const draft: DraftQuery = draftFor(options.dataset ?? options.last?.dataset ?? datasets[0]?.id ?? '', options.last);
  const askDataset = async (place: Place): Promise<Outcome<string>> => {
    const outcome = await datasetStep(place, draft.dataset);
    if (outcome.kind === 'next' && outcome.value !== draft.dataset)
      Object.assign(draft, draftFor(outcome.value, options.last));
    return outcome;
  };
  const askRange = async (place: Place): Promise<Outcome<string>> => {
    const outcome = await rangeStep(place, {
      now: options.now,
      zone: options.zone,
      draft,
      requestsOf: options.requestsOf,
      paramsText: () => paramsText(draft.params),
      editParams: async () => {
        draft.params = (await promptParams(draft)) ?? draft.params;
      },
    });
    if (outcome.kind === 'next') draft.range = outcome.value;
    return outcome;
  };
  const choices = (): readonly string[] => datasetById(draft.dataset)?.intervals ?? [];
  const askInterval = async (place: Place): Promise<Outcome<string>> => {
    const outcome = await intervalStep(
      place,
      choices(),
      draft.interval,
      interval => describeQuery({ ...draft, interval }, options).text,
    );
    if (outcome.kind === 'next') draft.interval = outcome.value;
    return outcome;
  };
  const title = options.title ?? vscode.l10n.t('Run Query · {0}', options.connection);
  const steps: Step[] = [
    { ask: askDataset, isNeeded: () => options.dataset === undefined },
    { ask: askRange },
    { ask: askInterval, isNeeded: () => options.rangeOnly !== true && choices().length > 1 },
    ...(options.more?.(() => ({ ...draft })) ?? []),
  ];
  return (await walk(title, steps)) ? { ...draft } : undefined;
}

/** Asks for an interval alone, among the given ones or as typed. Undefined when the person left. */
export async function promptInterval(choices: readonly string[], current: string): Promise<string | undefined> {
  const place: Place = { title: vscode.l10n.t('Interval'), step: 1, total: 1, first: true };
  const outcome = await intervalStep(place, choices, current);
  return outcome.kind === 'next' ? outcome.value : undefined;
}

/** The last query where it was of this dataset; else the dataset's defaults, with no range used before. */
function draftFor(dataset: string, last: Query | undefined): DraftQuery {
  if (last?.dataset === dataset) return { ...last };
  return { dataset, range: '', interval: datasetById(dataset)?.intervals[0] ?? '1h', params: {} };
}

async function datasetStep(place: Place, current: string): Promise<Outcome<string>> {
  const items = datasets.map(dataset => ({
    label: datasetTitle(dataset.id),
    description: dataset.intervals.map(intervalName).join(', '),
    detail: vscode.l10n.t('{0} requests per {1} s', dataset.limit.requests, dataset.limit.seconds),
    id: dataset.id,
  }));
  items.sort((a, b) => Number(b.id === current) - Number(a.id === current));
  const outcome = await pick(place, { placeholder: vscode.l10n.t('Which dataset?'), items: () => items });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.id } : outcome;
}

async function intervalStep(
  place: Place,
  choices: readonly string[],
  current: string,
  meaning: (interval: string) => string = () => '',
): Promise<Outcome<string>> {
  const ordered = [...choices].sort((a, b) => Number(b === current) - Number(a === current));
  const item = (id: string, description: string): IntervalItem => ({
    label: id,
    description,
    // The range may mean other instants by the day than by the hour: said before it is sent.
    detail: meaning(id),
    id,
    alwaysShow: true,
  });
  const outcome = await pick<IntervalItem>(place, {
    placeholder: vscode.l10n.t('Which interval? Another one may be typed.'),
    items: typed => {
      const text = typed.trim();
      const known = ordered.filter(id => id.includes(text) || intervalName(id).includes(text.toLowerCase()));
      if (known.length === 0 && !isInterval(text)) return [noInterval(text)];
      const own = text && !choices.includes(text) && isInterval(text);
      return [
        ...known.map(id => item(id, id === '1d' ? vscode.l10n.t('daily, days of UTC') : intervalName(id))),
        ...(own ? [item(text, vscode.l10n.t('as typed; the service decides'))] : []),
      ];
    },
    accepts: ({ id }) => id !== undefined,
  });
  return outcome.kind === 'next' ? { kind: 'next', value: outcome.value.id ?? '' } : outcome;
}

/** Without an id it only explains. */
type IntervalItem = vscode.QuickPickItem & { readonly id?: string };

function noInterval(text: string): IntervalItem {
  const label = problemSentence({ problem: 'badInterval', part: text });
  return { label, iconPath: new vscode.ThemeIcon('warning'), alwaysShow: true };
}

async function promptParams(draft: DraftQuery): Promise<Record<string, string> | undefined> {
  const { t } = vscode.l10n;
  const offered = datasetById(draft.dataset)?.params ?? [];
  const hint = offered.map(param => `${param.name}=${param.value} (${paramMeaning(param)})`).join(', ');
  const outcome = await input(
    { title: t('Query Parameters'), step: 1, total: 1, first: true },
    {
      prompt: hint
        ? t('name=value, separated by blanks. Known here: {0}', hint)
        : t('name=value, separated by blanks.'),
      value: paramsText(draft.params) || offered.map(param => `${param.name}=${param.value}`).join(' '),
      validate: typed =>
        parseParams(typed)
          ? undefined
          : t('Write name=value pairs separated by blanks, and none named start, end or interval.'),
    },
  );
  return outcome.kind === 'next' ? parseParams(outcome.value) : undefined;
}

function paramsText(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
