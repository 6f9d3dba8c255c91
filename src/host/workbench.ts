import * as vscode from 'vscode';

/** Opens the text in an untitled tab that stays. `language`: VS Code's id of it. */
export async function openText(content: string, language = 'plaintext'): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Asks where to save a file of this name: in the first folder of the workspace, if there is one. Undefined when the person left. */
export async function askWhereToSave(name: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [extension.toUpperCase()]: [extension] },
  });
}

/** Sets a name that `when` clauses and steps of the walkthrough ask for. */
export async function setContext(key: string, value: boolean | string | undefined): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
