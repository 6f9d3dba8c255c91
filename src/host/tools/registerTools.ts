import * as vscode from 'vscode';
import { datasets } from '../../core/query/catalogue.ts';
import { queryTool, tools } from '../ids.ts';
import type { QueryStores } from '../savedQueries/queryStores.ts';
import { checkBudgetTool, describeFieldsTool, listSavedQueriesTool } from './factTools.ts';
import { asLanguageModelTool, type GridTool } from './gridTool.ts';
import { registerOpenLinks, type OpenLinksDeps } from './openLink.ts';
import { QueryTool, type QueryToolDeps } from './queryTool.ts';

export interface ToolsDeps extends QueryToolDeps, OpenLinksDeps {
  readonly stores: Pick<QueryStores, 'list' | 'settle'>;
  readonly logError: (error: unknown) => void;
}

/** The tools for language models, where this VS Code knows of such, and the links in their answers. */
export function registerTools(deps: ToolsDeps): vscode.Disposable {
  const links = registerOpenLinks(deps);
  // Editors made from VS Code leave it out.
  const lm = vscode.lm as Partial<typeof vscode.lm> | undefined;
  if (typeof lm?.registerTool !== 'function') return links;
  const register = lm.registerTool.bind(lm);
  return vscode.Disposable.from(
    links,
    ...Object.entries(gridTools(deps)).map(([name, tool]) => register(name, asLanguageModelTool(tool, deps.logError))),
  );
}

/** One tool for each name of the manifest. */
export function gridTools(
  deps: Omit<ToolsDeps, 'boundary' | 'sessions' | 'logError'>,
): Readonly<Record<string, GridTool>> {
  return {
    ...Object.fromEntries(datasets.map(dataset => [queryTool(dataset.id), new QueryTool(dataset, deps)])),
    [tools.describeFields]: describeFieldsTool,
    [tools.listSavedQueries]: listSavedQueriesTool(deps.stores),
    [tools.checkBudget]: checkBudgetTool(deps.connections, deps.pricing),
  };
}
