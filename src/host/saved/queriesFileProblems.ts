import * as vscode from 'vscode';
import { fileProblemSentences, schemaProblems, type FileProblem } from '../../core/saved/file/fileProblem.ts';
import { linePositions } from '../../core/saved/file/linePositions.ts';
import { createDiagnostic } from '../messages.ts';
import { queriesFileName } from './queriesFileUri.ts';
import type { SavedHomes } from './savedHomes.ts';
import type { WorkspaceHome } from './workspaceHome.ts';

/** What is wrong in the workspace's files, in the list of problems, also while no editor shows them. */
export function registerQueriesFileProblems(homes: SavedHomes): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('gridData');
  const show = (): void => {
    collection.clear();
    for (const home of homes.workspaces()) {
      const at = linePositions(home.file.text);
      const positionAt = (offset: number): vscode.Position => {
        const { line, character } = at(offset);
        return new vscode.Position(line, character);
      };
      collection.set(
        home.uri,
        problemsOf(home).map(problem => diagnosticOf(problem, positionAt)),
      );
    }
  };
  const opened = ({ uri }: vscode.TextDocument): void => {
    if (!uri.path.endsWith(`/${queriesFileName.join('/')}`)) return;
    void homes.load();
    show();
  };
  show();
  vscode.workspace.textDocuments.forEach(opened);
  return vscode.Disposable.from(
    collection,
    homes.onDidChange(show),
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument(opened),
    vscode.workspace.onDidChangeConfiguration(change => change.affectsConfiguration(jsonValidation) && show()),
  );
}

const jsonValidation = 'json.validate.enable';

/** Without what VS Code's JSON support says of the file while it is open, unless the person has switched that off. */
function problemsOf({ uri, file }: WorkspaceHome): readonly FileProblem[] {
  const isOpen = vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString());
  const isValidated = vscode.workspace.getConfiguration(undefined, uri).get(jsonValidation) !== false;
  return isOpen && isValidated ? file.problems.filter(({ code }) => !schemaProblems.has(code)) : file.problems;
}

function diagnosticOf(problem: FileProblem, positionAt: (offset: number) => vscode.Position): vscode.Diagnostic {
  const { code, offset, length, part = '', severity } = problem;
  const range = new vscode.Range(positionAt(offset), positionAt(offset + length));
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const { t } = vscode.l10n;
  const sentence = t(fileProblemSentences[code], code === 'notJson' ? t(part) : part);
  const diagnostic = createDiagnostic(range, sentence, severity === 'error' ? Error : Warning);
  diagnostic.source = 'Grid Data';
  diagnostic.code = code;
  return diagnostic;
}
