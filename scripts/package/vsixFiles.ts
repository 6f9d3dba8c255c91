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

/** The names in a zip, from its central directory. Throws an Error when the bytes are no zip. */
export function listZip(zip: Buffer): string[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('This is no zip file.');
  const names: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    names.push(zip.toString('utf8', at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}

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
