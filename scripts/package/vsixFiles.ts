// A VSIX is a zip: two files that vsce adds, and the extension's own under extension/.
const added = new Set(['extension.vsixmanifest', '[Content_Types].xml']);
const allowed = [
  /^package\.json$/,
  /^package\.nls(\.[\w-]+)?\.json$/,
  /^(readme|changelog)\.md$/i,
  /^license(\.txt|\.md)?$/i,
  /^ThirdPartyNotices\.txt$/,
  /^(dist|media|l10n)\/.+$/,
  /^api\/[\w-]+\.d\.ts$/,
];
/** What a person may not be without: what it runs, the terms of it and of what it contains. */
const needed = [
  'package.json',
  'dist/extension.js',
  'LICENSE.txt',
  'ThirdPartyNotices.txt',
  'readme.md',
  'changelog.md',
];

/** The files of a VSIX that a person who installs it does not need. */
export function findStrangers(names: readonly string[]): string[] {
  return names.filter(name => {
    if (added.has(name)) return false;
    const own = name.startsWith('extension/') ? name.slice('extension/'.length) : undefined;
    return own === undefined || own.endsWith('.map') || !allowed.some(pattern => pattern.test(own));
  });
}

/** The files that the extension has to have and a VSIX lacks. */
export function findMissing(names: readonly string[]): string[] {
  return needed.filter(name => !names.includes(`extension/${name}`));
}
