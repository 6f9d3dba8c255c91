// Packages the extension as grid-data-inspector-<version>.vsix. `vsce` builds it through `vscode:prepublish`, so running `vsce` directly
// gives the same package. This script adds checks that `vsce` lacks.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { root } from '../paths.ts';
import { isPreRelease } from './releases.ts';
import { findMissingFiles, findUnexpectedFiles } from './vsixFiles.ts';
import { vsixPath } from './vsixPath.ts';

const maxBytes = 3_000_000;
/** The maximum size of the file that VS Code loads in every window. */
const maxStartBytes = 10_000;

const file = vsixPath();
rmSync(file, { force: true });
const problems = runVsce() ?? checkPackage(readFileSync(file));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  rmSync(file, { force: true });
  process.exitCode = 1;
} else console.log(`${file} (${Math.ceil(statSync(file).size / 1000)} kB)`);

/**
 * Runs vsce and returns its output as a problem if it fails or warns. Runs vsce's file with Node, since on Windows the command of a
 * package runs in a shell, which splits paths at spaces.
 */
function runVsce(): string[] | undefined {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const channel = isPreRelease(version) ? ['--pre-release'] : [];
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', ...channel, '--out', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  // `vsce` exits with 0 despite warnings, and users would see the effects of what it warns about.
  return status !== 0 || /warning/i.test(output) ? [`vsce failed or warned:\n${output}`] : undefined;
}

function checkPackage(vsix: Uint8Array): string[] {
  const files = unzipSync(vsix);
  const names = Object.keys(files);
  console.log(names.map(name => `  ${name}`).join('\n'));
  const unexpected = findUnexpectedFiles(names).join(', ');
  const missing = findMissingFiles(names).join(', ');
  const startBytes = files['extension/dist/extension.js']?.length ?? 0;
  return [
    unexpected && `These files do not belong in the package: ${unexpected}. Exclude them in .vscodeignore.`,
    missing && `The package lacks ${missing}. Include them in .vscodeignore.`,
    vsix.length > maxBytes &&
      `The package is larger than ${maxBytes / 1000} kB. dist/meta.json lists the contents of each file.`,
    startBytes > maxStartBytes &&
      `dist/extension.js, which VS Code loads in every window, is larger than ${maxStartBytes / 1000} kB.`,
  ].filter(problem => typeof problem === 'string' && problem !== '') as string[];
}
