import * as vscode from 'vscode';

/** Opens the text in a new untitled editor. `language` is a VS Code language id. */
export async function openText(content: string, language = 'plaintext'): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Shows the save dialog for a file of this name, in the first workspace folder if there is one. Returns undefined if the user cancels. */
export async function promptSaveLocation(name: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [extension.toUpperCase()]: [extension] },
  });
}

/** Sets a context key for `when` clauses and walkthrough steps. */
export async function setContext(key: string, value: boolean | string | undefined): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
