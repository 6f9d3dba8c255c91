// `npm run release`: the steps of .github/workflows/release.yml. `check v0.2.0` compares the tag with package.json and
// CHANGELOG.md, `notes` prints the version's changes, `marketplace` and `openvsx` publish the package with the token in
// VSCE_PAT or OVSX_PAT.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { findChanges, isPreRelease } from './releases.ts';
import { vsixPath } from './vsixPath.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const [action = '', tag = ''] = process.argv.slice(2);
const actions: Readonly<Record<string, () => void>> = {
  check: () => checkVersion(),
  notes: () => console.log(getReleaseNotes()),
  marketplace: () => {
    const channel = isPreRelease(version) ? ['--pre-release'] : [];
    publish('VSCE_PAT', process.execPath, ['node_modules/@vscode/vsce/vsce', 'publish', ...channel, '--packagePath']);
  },
  // The package itself contains its channel.
  openvsx: () => publish('OVSX_PAT', 'npx', ['--yes', 'ovsx@1.3.0', 'publish']),
};

try {
  const runAction = actions[action];
  if (!runAction) throw new Error(`Choose one of: ${Object.keys(actions).join(', ')}.`);
  runAction();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function checkVersion(): void {
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} does not match the version of package.json, v${version}.`);
  getReleaseNotes();
  const channel = isPreRelease(version) ? 'pre-release' : 'stable';
  console.log(`${version} is for the ${channel} channel.`);
  const output = process.env['GITHUB_OUTPUT'];
  if (output) appendFileSync(output, `channel=${channel}\n`);
}

function getReleaseNotes(): string {
  const changes = findChanges(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (!changes) throw new Error(`CHANGELOG.md has no changes under '## ${version}'. Rename its section 'Unreleased'.`);
  return changes;
}

function publish(token: string, command: string, args: readonly string[]): void {
  if (!process.env[token]) throw new Error(`${token} is not set.`);
  if (!existsSync(vsixPath())) throw new Error(`${vsixPath()} is missing. Run \`npm run package\` first.`);
  const { status, error } = spawnSync(command, [...args, vsixPath()], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`Publishing failed (${error?.message ?? status}).`);
}
