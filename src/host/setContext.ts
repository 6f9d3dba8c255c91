import * as vscode from 'vscode';

/** Sets a name that `when` clauses and steps of the walkthrough ask for. */
export async function setContext(key: string, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
