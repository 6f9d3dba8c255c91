import assert from 'node:assert/strict';
import { parseLaunchFlags } from '../../host/launchFlags.ts';

describe("desktop VS Code's flags, as the stand-in reads them", () => {
  it('finds the flags among those that it ignores', () => {
    const flags = parseLaunchFlags([
      '/a folder',
      '--user-data-dir=/u=1',
      '--extensions-dir=/e',
      '--no-sandbox',
      '--extensionTestsPath=/x/out/test/index.js',
      '--extensionDevelopmentPath=/x',
    ]);
    assert.deepEqual(flags, {
      extension: '/x',
      tests: '/x/out/test/index.js',
      folder: '/a folder',
      userData: '/u=1',
      extensions: '/e',
    });
  });

  it('requires the extension and its tests as flags', () => {
    assert.throws(() => parseLaunchFlags(['--extensionDevelopmentPath=/x']), /both needed/);
  });
});
