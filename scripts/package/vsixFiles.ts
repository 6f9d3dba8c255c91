// A VSIX is a zip file with two files that vsce adds, and the extension's files under extension/.
const vsceFiles = new Set(['extension.vsixmanifest', '[Content_Types].xml']);
const allowed = [
  /^package\.json$/,
  /^package\.nls(\.[\w-]+)?\.json$/,
  /^(readme|changelog)\.md$/i,
  /^license(\.txt|\.md)?$/i,
  /^ThirdPartyNotices\.txt$/,
  /^(dist|media|l10n)\/.+$/,
  // The agent plugin.
  /^(plugin|mcp|\.claude-plugin\/plugin)\.json$/,
  /^api\/[\w-]+\.d\.ts$/,
  /^skills\/[\w-]+\/SKILL\.md$/,
];
/** The files that every package must have. */
const requiredFiles = [
  'package.json',
  'dist/extension.js',
  'plugin.json',
  'mcp.json',
  '.claude-plugin/plugin.json',
  'LICENSE.txt',
  'ThirdPartyNotices.txt',
  'readme.md',
  'changelog.md',
  'skills/grid-data/SKILL.md',
];

/** Returns the files of a VSIX that do not belong in it. */
export function findUnexpectedFiles(names: readonly string[]): string[] {
  return names.filter(name => {
    if (vsceFiles.has(name)) return false;
    const path = name.startsWith('extension/') ? name.slice('extension/'.length) : undefined;
    return path === undefined || path.endsWith('.map') || !allowed.some(pattern => pattern.test(path));
  });
}

/** Returns the required files that a VSIX lacks. */
export function findMissingFiles(names: readonly string[]): string[] {
  return requiredFiles.filter(name => !names.includes(`extension/${name}`));
}
