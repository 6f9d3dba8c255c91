// Calls a tool as an agent does, and shows what a language model is given, beside the panel that its link opens.
const vscode = require('vscode');

const input = { range: 'last 30 days' };

async function ask() {
  const { content } = await vscode.lm.invokeTool('gridData_querySystemState', {
    input,
    toolInvocationToken: undefined,
  });
  const answer = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'answer.md');
  await vscode.workspace.fs.writeFile(answer, Buffer.from(content.map(({ value }) => value).join('\n')));
  await vscode.window.showTextDocument(answer, { preview: false });
  const grid = await vscode.extensions.getExtension('grid-data.grid-data-inspector').activate();
  await grid.open({ dataset: 'systemState', ...input });
}

module.exports = { activate: () => vscode.commands.registerCommand('pictures.askAgent', ask) };
