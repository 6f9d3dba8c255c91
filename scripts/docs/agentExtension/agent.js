// Calls a tool as an agent does, and shows the result that a language model receives beside the panel that its link opens.
const vscode = require('vscode');

const input = { range: 'last 30 days' };

async function askAgent() {
  const { content } = await vscode.lm.invokeTool('gridData_querySystemState', {
    input,
    toolInvocationToken: undefined,
  });
  const answerFile = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'answer.md');
  await vscode.workspace.fs.writeFile(answerFile, Buffer.from(content.map(({ value }) => value).join('\n')));
  await vscode.window.showTextDocument(answerFile, { preview: false });
  const api = await vscode.extensions.getExtension('grid-data.grid-data-inspector').activate();
  await api.open({ dataset: 'systemState', ...input });
}

module.exports = { activate: () => vscode.commands.registerCommand('pictures.askAgent', askAgent) };
