// Packs the extension: grid-data-inspector-<version>.vsix. `vsce` builds, by `vscode:prepublish`: whoever calls it by itself packs the
// same. What is checked here is what `vsce` does not.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { root } from '../paths.ts';
import { isPreRelease } from './releases.ts';
import { findMissing, findStrangers } from './vsixFiles.ts';
import { vsixPath } from './vsixPath.ts';

const maxBytes = 3_000_000;
/** Of the file that VS Code loads in every window. */
const maxStartBytes = 10_000;

const file = vsixPath();
rmSync(file, { force: true });
const problems = pack() ?? problemsOf(readFileSync(file));
if (problems.length > 0) {
  console.error(problems.join('\n'));
  rmSync(file, { force: true });
  process.exitCode = 1;
} else console.log(`${file} (${Math.ceil(statSync(file).size / 1000)} kB)`);

/** What vsce is not content with; undefined if it is. By its file: Windows runs the command of a package in a shell, which splits paths. */
function pack(): string[] | undefined {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const channel = isPreRelease(version) ? ['--pre-release'] : [];
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', ...channel, '--out', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  // `vsce` ends well in spite of warnings; a person who installs the file would meet what they warn of.
  return status !== 0 || /warning/i.test(output) ? [`vsce is not content:\n${output}`] : undefined;
}

function problemsOf(vsix: Uint8Array): string[] {
  const files = unzipSync(vsix);
  const names = Object.keys(files);
  console.log(names.map(name => `  ${name}`).join('\n'));
  const [unexpected, missing] = [findStrangers(names).join(', '), findMissing(names).join(', ')];
  const startBytes = files['extension/dist/extension.js']?.length ?? 0;
  return [
    unexpected && `These files do not belong in the package: ${unexpected}. Leave them out by .vscodeignore.`,
    missing && `The package lacks ${missing}. Let them in by .vscodeignore.`,
    vsix.length > maxBytes &&
      `The package is larger than ${maxBytes / 1000} kB. dist/meta.json says what each file is made of.`,
    startBytes > maxStartBytes &&
      `dist/extension.js, which VS Code loads in every window, is larger than ${maxStartBytes / 1000} kB.`,
  ].filter(problem => typeof problem === 'string' && problem !== '') as string[];
}
