import assert from 'node:assert/strict';
import { findMissingFiles, findUnexpectedFiles } from '../../../scripts/package/vsixFiles.ts';

describe('the files of a package', () => {
  it('accepts the files that the extension needs', () => {
    const requiredFiles = [
      'package.json',
      'package.nls.json',
      'package.nls.pt-br.json',
      'l10n/bundle.l10n.af.json',
      'readme.md',
      'LICENSE.txt',
      'ThirdPartyNotices.txt',
      'dist/a.js',
      'plugin.json',
      'mcp.json',
      '.claude-plugin/plugin.json',
      'api/a.d.ts',
      'skills/grid-data/SKILL.md',
    ];
    const names = ['extension.vsixmanifest', '[Content_Types].xml', ...requiredFiles.map(name => `extension/${name}`)];
    assert.deepEqual(findUnexpectedFiles(names), []);
  });

  it('rejects sources, tests, maps, dependencies and files outside the extension', () => {
    const names = ['src/a.ts', 'test/a.ts', 'api/a.ts', 'dist/a.js.map', 'node_modules/a/a.js', '.env', 'dist/'].map(
      name => `extension/${name}`,
    );
    assert.deepEqual(findUnexpectedFiles([...names, 'other.txt']), [...names, 'other.txt']);
  });

  it('rejects files for contributors', () => {
    const guides = [
      'CONTRIBUTING.md',
      'SECURITY.md',
      'docs/architecture.md',
      '.vscode/launch.json',
      '.editorconfig',
      '.nvmrc',
    ];
    const names = guides.map(name => `extension/${name}`);
    assert.deepEqual(findUnexpectedFiles(names), names);
  });

  it('reports missing files that users need, such as the third-party notices', () => {
    const requiredFiles = [
      'package.json',
      'dist/extension.js',
      'plugin.json',
      'mcp.json',
      '.claude-plugin/plugin.json',
      'LICENSE.txt',
      'readme.md',
      'changelog.md',
      'skills/grid-data/SKILL.md',
    ];
    const names = requiredFiles.map(name => `extension/${name}`);
    assert.deepEqual(findMissingFiles(names), ['ThirdPartyNotices.txt']);
    assert.deepEqual(findMissingFiles([...names, 'extension/ThirdPartyNotices.txt']), []);
  });
});
