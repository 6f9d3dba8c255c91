import { t } from '@vscode/l10n';
import { type Dataset, datasets, queriedDatasets } from '../../core/query/catalogue.ts';
import { queryToolName, tools } from '../ids.ts';
import type { QueryStore } from '../savedQueries/queryStore.ts';
import type { GridTool, PreparedTool } from './gridTool.ts';
import { QueryTool, type QueryToolDeps } from './queryTool.ts';
import { findKeyLikePart } from '../../core/savedQueries/keyLike.ts';
import { allQueries } from '../../core/savedQueries/walk.ts';
import { markAsData, rangeExamples, quoteForModel } from '../../core/summary/modelText.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { InputError } from '../inputError.ts';

export interface ToolsDeps extends QueryToolDeps {
  readonly stores: ToolStores;
}

/** The saved queries that tools list. `settle` waits until they are loaded. */
interface ToolStores {
  list(): readonly Pick<QueryStore, 'kind' | 'tree'>[];
  settle(): Promise<void>;
}

/** Creates the tools for language models, by their names in package.json. */
export function createGridTools(deps: ToolsDeps): Readonly<Record<string, GridTool>> {
  return {
    ...Object.fromEntries(queriedDatasets.map(dataset => [queryToolName(dataset.id), new QueryTool(dataset, deps)])),
    [tools.describeFields]: describeFieldsTool,
    [tools.listSavedQueries]: createListSavedQueriesTool(deps.stores),
    [tools.checkBudget]: createCheckBudgetTool(deps),
  };
}

/** Describes the documented field names, units and meanings of the datasets. Sends no request. */
const describeFieldsTool: GridTool = {
  prepare: async () => prepareWithoutRequest(t('Describe the fields. No request.')),
  async invoke(input) {
    const datasetId = readText(input, 'dataset');
    const described = datasetId === undefined ? datasets : datasets.filter(({ id }) => id === datasetId);
    if (described.length === 0)
      throw new InputError(`Unknown dataset; use one of ${datasets.map(({ id }) => id).join(', ')}.`);
    const head = [
      rangeExamples,
      'A service may send other fields too; they are shown as they come. Instants are UTC. null is never 0.',
    ];
    const text = markAsData(head, described.flatMap(formatFieldLines), [], omitted => `${omitted} more lines.`);
    return Promise.resolve({ text });
  },
};

function formatFieldLines({ id, title, intervals, fields, params, limit }: Dataset): string[] {
  return [
    `${id} (${title}): intervals ${intervals.join(', ')}${intervals.includes('1d') ? ' (days of UTC, by the service)' : ''}, and 1d@ZONE (days of that zone, made from hours); ${limit.requests} requests per ${limit.seconds} s unless the provider granted more.`,
    ...[...fields].map(
      ([name, { unit, meaning }]) => `${id}.${name}${unit?.text ? ` [${unit.text}]` : ''}: ${meaning}`,
    ),
    ...params.map(({ name, meaning }) => `${id}, input ${name}: ${meaning}`),
  ];
}

/** Lists the saved queries of the user and the workspace, without running them. */
function createListSavedQueriesTool(stores: ToolStores): GridTool {
  return {
    prepare: async () => prepareWithoutRequest(t('List the saved queries. No request.')),
    async invoke() {
      await stores.settle();
      const lines = stores.list().flatMap(store =>
        allQueries(store.tree()).map(item => {
          // A workspace file may contain keys.
          if (findKeyLikePart([item]) !== undefined) return `${store.kind}: left out, it looks as if it held a key`;
          const { name, query, connection } = item;
          const { dataset, range, timeZone, interval, params } = query;
          const extra = Object.entries(params)
            .slice(0, 4)
            .map(([param, value]) => `${param}=${value}`);
          const parts = [
            dataset,
            range,
            `(days of ${timeZone})`,
            interval,
            ...extra,
            ...(connection === undefined ? [] : [`on ${connection}`]),
          ];
          return `${store.kind}: ${quoteForModel(name)} | ${parts.map(part => quoteForModel(part, 40)).join(' ')}`;
        }),
      );
      const head = [
        `${lines.length} saved queries: where, name | dataset, range with the zone of its days, interval, parameters, connection.`,
      ];
      return { text: markAsData(head, lines, [], omitted => `${omitted} more are left out.`) };
    },
  };
}

/** Reports the remaining budgets of all connections by name. Sends no request and contains no key. */
function createCheckBudgetTool({ connections, pricing, allowance, getSource }: ToolsDeps): GridTool {
  const budgetLine = async (connection: Connection, dataset: Dataset): Promise<string> => {
    const budget = await pricing.getBudget(connection, dataset);
    if (!budget) return `${dataset.id}: not known before the first request`;
    const { left, allowed, nextFreeInMs, waiting, refusal } = budget;
    const wait = left === 0 ? `, the next in ${Math.ceil(nextFreeInMs / 1000)} s` : '';
    const agents = await allowance.getBudget(await getSource(connection), dataset.scope);
    return `${dataset.id}: ${left} of ${allowed} requests left${wait}, ${waiting} waiting, agents may send ${agents.left} of ${agents.maxPerHour} an hour${refusal ? ', the service refuses the key' : ''}`;
  };
  return {
    prepare: async () => prepareWithoutRequest(t('Check the request budget. No request.')),
    async invoke() {
      const active = connections.active()?.id;
      const lines = await Promise.all(
        connections.list().map(async connection => {
          const budgets = await Promise.all(datasets.map(async dataset => budgetLine(connection, dataset)));
          const state = connection.id === active ? 'in use unless another is named' : 'by name';
          return `${quoteForModel(connection.name)} (${state}): ${budgets.join('; ')}`;
        }),
      );
      const head = [
        'Requests left of the rolling window, by connection and dataset. What is in the archive costs none.',
      ];
      if (lines.length === 0)
        head.push('There is no connection. Ask the person to run the command "Grid Data: Add Connection".');
      return { text: markAsData(head, lines, [], omitted => `${omitted} more connections are left out.`) };
    },
  };
}

async function prepareWithoutRequest(invocationMessage: string): Promise<PreparedTool> {
  return Promise.resolve({ invocationMessage });
}

function readText(input: unknown, name: string): string | undefined {
  const value = typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
