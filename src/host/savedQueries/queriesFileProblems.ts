import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  fileProblemSentences,
  schemaProblems,
  type FileProblem,
  createPositionLookup,
} from '../../core/savedQueries/file/fileProblem.ts';
import { createDiagnostic, createCodeLens } from '../messages/messages.ts';
import { queriesFileName } from './queryStore.ts';
import type { QueryStores } from './queryStores.ts';
import type { WorkspaceQueryStore } from './workspaceQueryStore.ts';
import { parseQueriesFile } from '../../core/savedQueries/file/queriesFile.ts';
import { allQueries } from '../../core/savedQueries/walk.ts';
import { commands } from '../ids.ts';

/** Lists the problems of the workspace's queries files in the Problems view, even while no editor shows them. */
export function registerQueriesFileProblems(stores: QueryStores): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('gridData');
  const show = (): void => {
    collection.clear();
    for (const store of stores.workspaces()) {
      const findPosition = createPositionLookup(store.file.text);
      const positionAt = (offset: number): vscode.Position => {
        const { line, character } = findPosition(offset);
        return new vscode.Position(line, character);
      };
      collection.set(
        store.uri,
        listProblems(store).map(problem => toDiagnostic(problem, positionAt)),
      );
    }
  };
  const onOpenOrClose = ({ uri }: vscode.TextDocument): void => {
    if (!uri.path.endsWith(`/${queriesFileName.join('/')}`)) return;
    void stores.load();
    show();
  };
  show();
  vscode.workspace.textDocuments.forEach(onOpenOrClose);
  return vscode.Disposable.from(
    collection,
    stores.onDidChange(show),
    vscode.workspace.onDidOpenTextDocument(onOpenOrClose),
    vscode.workspace.onDidCloseTextDocument(onOpenOrClose),
    vscode.workspace.onDidChangeConfiguration(change => change.affectsConfiguration(jsonValidation) && show()),
  );
}

const jsonValidation = 'json.validate.enable';

/** Returns a file's problems. While the file is open, omits the problems that VS Code's JSON validation reports, unless it is disabled. */
function listProblems({ uri, file }: WorkspaceQueryStore): readonly FileProblem[] {
  const isOpen = vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
  const isValidated = vscode.workspace.getConfiguration(undefined, uri).get(jsonValidation) !== false;
  return isOpen && isValidated ? file.problems.filter(({ code }) => !schemaProblems.has(code)) : file.problems;
}

function toDiagnostic(problem: FileProblem, positionAt: (offset: number) => vscode.Position): vscode.Diagnostic {
  const { code, offset, length, part = '', severity } = problem;
  const range = new vscode.Range(positionAt(offset), positionAt(offset + length));
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const sentence = t(fileProblemSentences[code], code === 'notJson' ? t(part) : part);
  const diagnostic = createDiagnostic(range, sentence, severity === 'error' ? Error : Warning);
  diagnostic.source = 'Grid Data';
  diagnostic.code = code;
  return diagnostic;
}

/** Registers a code lens that runs the query below it, for each query of a workspace file. */
export function registerQueriesFileLens(stores: Pick<QueryStores, 'onDidChange' | 'workspaces'>): vscode.Disposable {
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: stores.onDidChange,
    provideCodeLenses(document) {
      const store = stores.workspaces().find(({ key }) => key === document.uri.toString());
      const text = document.getText();
      const { tree, blocks } = store?.parse(text) ?? parseQueriesFile(text);
      return allQueries(tree).flatMap(({ id, name }) => {
        const block = blocks.get(id);
        if (!block) return [];
        const position = document.positionAt(block.offset);
        const command = {
          command: commands.runSavedQuery,
          title: t('Run'),
          tooltip: t("Run '{0}'", name),
          arguments: [`${document.uri.toString()}/${id}`],
        };
        return [createCodeLens(new vscode.Range(position, position), 'play', command)];
      });
    },
  };
  return vscode.languages.registerCodeLensProvider({ pattern: `**/${queriesFileName.join('/')}` }, provider);
}
