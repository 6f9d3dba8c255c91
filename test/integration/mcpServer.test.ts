import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as vscode from 'vscode';
import { extensionId, tools } from '../../src/host/ids.ts';

describe('the MCP server beside VS Code', () => {
  let client: Client;

  before(async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension);
    // Loads the app, which listens for agents.
    await vscode.lm.invokeTool(tools.describeFields, { input: {}, toolInvocationToken: undefined });
    client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(extension.extensionPath, 'dist', 'grid.js'), 'mcp'],
        env: { ELECTRON_RUN_AS_NODE: '1', GRID_DATA_STORAGE: process.env['TEST_STORAGE'] ?? '' },
      }),
    );
  });

  after(async () => client.close());

  async function callTool(name: string, input: Record<string, unknown>): Promise<string> {
    return JSON.stringify((await client.callTool({ name, arguments: input })).content);
  }

  it('answers like the tools of the window', async () => {
    const { content } = await vscode.lm.invokeTool(tools.checkBudget, { input: {}, toolInvocationToken: undefined });
    const [part] = content;
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    assert.equal(await callTool(tools.checkBudget, {}), JSON.stringify([{ type: 'text', text: part.value }]));
  });

  it('returns the error of the window as a sentence', async () => {
    assert.match(
      await callTool('gridData_querySystemState', { range: 'today', interval: '5min' }),
      /^.{20,40}Unknown interval/,
    );
  });
});
