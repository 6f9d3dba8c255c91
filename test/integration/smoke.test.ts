import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in VS Code', () => {
  it('activates under its published name', async () => {
    const extension = vscode.extensions.getExtension('grid-data.grid-data-inspector');
    assert.ok(extension, 'VS Code does not list grid-data.grid-data-inspector');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
