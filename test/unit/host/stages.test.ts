import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';

describe('the stages of a test run', () => {
  it('skips a stage with the reason if the machine lacks a program that the stage needs', () => {
    assert.match(
      runOnMac('e2e'),
      /e2e: skipped, because the server .* Linux only\.[^]*\n0 passed, 0 failed, 1 skipped\n$/,
    );
    assert.match(
      runOnMac('view'),
      /view: skipped, because there is no browser.*\n[^]*\n0 passed, 0 failed, 1 skipped\n$/,
    );
  });
});

/** Returns the output of a stage that runs as if on macOS, without a browser. */
function runOnMac(stage: string): string {
  const disguise = "Object.defineProperty(process, 'platform', { value: 'darwin' });";
  const args = ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, 'test/host/stages.ts', stage];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CHROME_PATH: join(root, 'gone') },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}
