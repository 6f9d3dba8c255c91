import * as vscode from 'vscode';

/** Where a workspace folder keeps its queries. */
export const queriesFileName = ['.vscode', 'grid-queries.json'] as const;

export function queriesFileUri(folder: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(folder, ...queriesFileName);
}
