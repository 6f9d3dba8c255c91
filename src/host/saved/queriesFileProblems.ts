import * as vscode from 'vscode';
import { fileProblemSentences, type FileProblem } from '../../core/saved/file/fileProblem.ts';
import type { SavedHomes } from './savedHomes.ts';

/** What is wrong in the workspace's files, in the list of problems, also while no editor shows them. */
export function registerQueriesFileProblems(homes: SavedHomes): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('gridData');
  const show = (): void => {
    collection.clear();
    for (const { uri, file } of homes.workspaces()) {
      const positionAt = positionsIn(file.text);
      collection.set(
        uri,
        file.problems.map(problem => diagnosticOf(problem, positionAt)),
      );
    }
  };
  show();
  return vscode.Disposable.from(collection, homes.onDidChange(show));
}

function diagnosticOf(problem: FileProblem, positionAt: (offset: number) => vscode.Position): vscode.Diagnostic {
  const { code, offset, length, part = '', severity } = problem;
  const range = new vscode.Range(positionAt(offset), positionAt(offset + length));
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const { t } = vscode.l10n;
  const sentence = t(fileProblemSentences[code], code === 'notJson' ? t(part) : part);
  const diagnostic = new vscode.Diagnostic(range, sentence, severity === 'error' ? Error : Warning);
  diagnostic.source = 'Grid Data';
  diagnostic.code = code;
  return diagnostic;
}

/** Lines as editors count them: after a line feed, a carriage return, or both. */
function positionsIn(text: string): (offset: number) => vscode.Position {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), match => match.index + match[0].length)];
  return offset => {
    const line = Math.max(
      0,
      starts.findLastIndex(start => start <= offset),
    );
    return new vscode.Position(line, offset - (starts[line] ?? 0));
  };
}
