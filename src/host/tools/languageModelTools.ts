import type * as vscode from 'vscode';
import { queriedDatasets } from '../../core/query/catalogue.ts';
import { queryTool, tools } from '../ids.ts';
import type { QueryStores } from '../savedQueries/queryStores.ts';
import { checkBudgetTool, describeFieldsTool, listSavedQueriesTool } from './factTools.ts';
import { asLanguageModelTool, type GridTool } from './gridTool.ts';
import { QueryTool, type QueryToolDeps } from './queryTool.ts';

export interface ToolsDeps extends QueryToolDeps {
  readonly stores: Pick<QueryStores, 'list' | 'settle'>;
  readonly logError: (error: unknown) => void;
}

/** The tools for language models, one for each name of the manifest. */
export function languageModelTools(deps: ToolsDeps): Readonly<Record<string, vscode.LanguageModelTool<unknown>>> {
  return Object.fromEntries(
    Object.entries(gridTools(deps)).map(([name, tool]) => [name, asLanguageModelTool(tool, deps.logError)]),
  );
}

function gridTools(deps: ToolsDeps): Readonly<Record<string, GridTool>> {
  return {
    ...Object.fromEntries(queriedDatasets.map(dataset => [queryTool(dataset.id), new QueryTool(dataset, deps)])),
    [tools.describeFields]: describeFieldsTool,
    [tools.listSavedQueries]: listSavedQueriesTool(deps.stores),
    [tools.checkBudget]: checkBudgetTool(deps.connections, deps.pricing),
  };
}
