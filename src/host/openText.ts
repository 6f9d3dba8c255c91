import * as vscode from 'vscode';

/** Opens the text in an untitled tab that stays. `language`: VS Code's id of it. */
export async function openText(content: string, language = 'plaintext'): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
}
