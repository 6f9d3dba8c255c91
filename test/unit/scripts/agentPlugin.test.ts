import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';

type Json = Readonly<Record<string, unknown>>;

const readJson = (file: string): Json => JSON.parse(readFileSync(join(root, file), 'utf8')) as Json;

describe('the agent plugin in the package', () => {
  const { $schema, ...facts } = readJson('plugin.json');
  const { mcpServers, ...claudeFacts } = readJson('.claude-plugin/plugin.json');

  it('has the manifest of Agent Plugins 1.0, with only its fields and a valid name', () => {
    assert.equal($schema, 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json');
    const allowedFields = ['name', 'description', 'author', 'homepage', 'repository', 'license', 'keywords'];
    assert.deepEqual(Object.keys(facts), allowedFields);
    assert.match(String(facts['name']), /^[a-z\d]+(-[a-z\d]+)*$/);
    assert.ok(String(facts['description']).length <= 1024);
  });

  it('describes itself in both manifests alike, with the pages of the extension', () => {
    assert.deepEqual(claudeFacts, facts);
    const { homepage, license, repository } = readJson('package.json');
    assert.deepEqual(facts['homepage'], homepage);
    assert.deepEqual(facts['license'], license);
    assert.deepEqual(facts['repository'], (repository as Json)['url']);
  });

  it('starts the packaged command line, with no environment and no key', () => {
    const server = (rootVariable: string): Json => ({
      command: 'node',
      args: [`\${${rootVariable}}/dist/grid.js`, 'mcp'],
    });
    assert.deepEqual(readJson('mcp.json'), {
      $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
      mcpServers: { 'grid-data': { type: 'stdio', ...server('PLUGIN_ROOT') } },
    });
    assert.deepEqual(mcpServers, { 'grid-data': server('CLAUDE_PLUGIN_ROOT') });
    assert.match(readFileSync(join(root, 'esbuild.js'), 'utf8'), /grid: 'src\/cli\/grid\.ts'/);
  });
});
