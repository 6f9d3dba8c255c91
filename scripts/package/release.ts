// `npm run release`: what .github/workflows/release.yml does with a version. `check v0.2.0` holds the tag against package.json and
// CHANGELOG.md, `notes` prints the changes of the version, `marketplace` and `openvsx` publish the package that is here, with
// the token in VSCE_PAT or OVSX_PAT.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { changesOf, isPreRelease } from './releases.ts';
import { vsixPath } from './vsixPath.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const [action = '', tag = ''] = process.argv.slice(2);
const actions: Readonly<Record<string, () => void>> = {
  check: () => check(),
  notes: () => console.log(notes()),
  marketplace: () => {
    const channel = isPreRelease(version) ? ['--pre-release'] : [];
    publish('VSCE_PAT', process.execPath, ['node_modules/@vscode/vsce/vsce', 'publish', ...channel, '--packagePath']);
  },
  // The package itself says which channel it is for.
  openvsx: () => publish('OVSX_PAT', 'npx', ['--yes', 'ovsx@1.3.0', 'publish']),
};

try {
  const act = actions[action];
  if (!act) throw new Error(`Choose one of: ${Object.keys(actions).join(', ')}.`);
  act();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function check(): void {
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not that of package.json, v${version}.`);
  notes();
  const channel = isPreRelease(version) ? 'pre-release' : 'stable';
  console.log(`${version} is for the ${channel} channel.`);
  const output = process.env['GITHUB_OUTPUT'];
  if (output) appendFileSync(output, `channel=${channel}\n`);
}

function notes(): string {
  const changes = changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (!changes) throw new Error(`CHANGELOG.md says nothing below '## ${version}': 'Unreleased' becomes that.`);
  return changes;
}

function publish(token: string, command: string, args: readonly string[]): void {
  if (!process.env[token]) throw new Error(`${token} is not set.`);
  if (!existsSync(vsixPath())) throw new Error(`${vsixPath()} is missing: \`npm run package\` makes it.`);
  const { status, error } = spawnSync(command, [...args, vsixPath()], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`It was not published (${error?.message ?? status}).`);
}
