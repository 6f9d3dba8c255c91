import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of esbuild's metafile that are used here: the inputs of each output, and their bytes in it. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The notice for a package that is shipped, wholly or in part. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression. */
  readonly license: string;
  readonly author?: string;
  readonly repository?: string;
  /** The texts that must be included, each with the name of its file. */
  readonly texts: readonly { readonly file: string; readonly text: string }[];
}

/** The packages whose files esbuild.js copies, which no metafile lists, with a note for each. */
export const copiedPackages: Readonly<Record<string, string>> = {
  '@fontsource/arimo': 'The fonts dist/arimo-*.woff2 are shipped as they are.',
  '@resvg/resvg-wasm': 'The program dist/index_bg.wasm is shipped as it is; its source is in the repository above.',
  '@vscode/codicons':
    'The font dist/codicon.ttf (CC-BY-4.0) and its style sheet dist/codicon.css (MIT) are shipped as they are.',
};

/** The folder of license texts for packages that lack one, named after the package: vscode-l10n.txt is for @vscode/l10n. */
export const licenseFolder = join(import.meta.dirname, 'licenses');

const licenseFile = /^(?:licen[cs]e|copying)(?:-\w+)?(?:\.(?:txt|md|markdown))?$/i;
const noticeFile = /^(?:copyright)?notice(?:\.(?:txt|md|markdown))?$/i;
/** Matches the section of a README under the heading "License" in either Markdown heading style. */
const licenseSection =
  /^(?:#+ *licen[cs]e *#*|licen[cs]e *\n-+) *\n([^]*?)(?=\n#+ |\n[^\n]+\n-{3,}\n|\n\[[^\]]+\]: |$(?![^]))/im;
/** The minimum length of a license text: shorter ones only name a license. The shortest license has 655 characters. */
const minLicenseLength = 600;

/** Returns the sorted folders of all packages that contribute to an output, relative to the folder of the build. */
export function findBundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** Reads the notice of a package. If it lacks a license or its text, throws an Error that says what to do. */
export function readNotice(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const name = getStringField(manifest['name'], 'type');
  const version = getStringField(manifest['version'], 'type');
  const license = getStringField(manifest['license'], 'type');
  if (!name || !version || !license) throw new Error(`${folder}/package.json lacks its name, version or license.`);
  const files = readdirSync(folder).sort();
  const readText = (file: string) => ({
    file,
    text: shortenLicense(normalizeText(readFileSync(join(folder, file), 'utf8'))),
  });
  const licenses = files.filter(file => licenseFile.test(file)).map(readText);
  const texts = licenses.some(({ text }) => text.length >= minLicenseLength)
    ? licenses
    : findOtherText(name, files, readText);
  if (texts.length === 0)
    throw new Error(
      `${name} ${version} (${license}) is shipped, but its folder has no license text. Copy the text from its repository to ` +
        `scripts/package/licenses/${getLicenseFileName(name)}, or leave the package out of the bundle.`,
    );
  const author = getStringField(manifest['author'], 'name');
  const repository = getStringField(manifest['repository'], 'url');
  return {
    name,
    version,
    license,
    ...(author && { author }),
    ...(repository && {
      repository: repository
        .replace(/^git\+/, '')
        .replace(/^git@([^:]+):/, 'https://$1/')
        .replace(/\.git$/, ''),
    }),
    texts: [...texts, ...files.filter(file => noticeFile.test(file)).map(readText)],
  };
}

/** Matches the terms of the Apache License, which are identical in all packages. */
const apacheTerms = /^ *Apache License\n[^]*?END OF TERMS AND CONDITIONS$/m;

/** Formats the text of ThirdPartyNotices.txt, with the terms of the Apache License only once. */
export function formatNotices(notices: readonly Notice[]): string {
  const separator = '='.repeat(80);
  const sorted = [...notices].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
  const seenTerms = new Set<string>();
  const replaceRepeated = (terms: string): string => {
    if (seenTerms.has(terms)) return 'The terms of the Apache License, Version 2.0, are those above.';
    seenTerms.add(terms);
    return terms;
  };
  const sections = sorted.map(({ name, version, license, author, repository, texts }) =>
    [
      separator,
      `${name} ${version} (${license})`,
      ...[author && `By ${author}`, repository, copiedPackages[name]].filter(Boolean),
      separator,
      ...texts.flatMap(({ file, text }) => [
        '',
        ...(texts.length > 1 ? [`--- ${file} ---`, ''] : []),
        text.replace(apacheTerms, replaceRepeated),
      ]),
    ].join('\n'),
  );
  const heading = `Grid Data Inspector contains parts of these ${sorted.length} packages, under the terms that follow.`;
  return `${[heading, ...sorted.map(({ name, version, license }) => `  ${name} ${version} (${license})`)].join('\n')}

${sections.join('\n\n')}
`;
}

function findOtherText(
  name: string,
  files: readonly string[],
  readText: (file: string) => Notice['texts'][number],
): Notice['texts'] {
  const readme = files.find(file => /^readme\.md$/i.test(file));
  const section = readme && licenseSection.exec(`${readText(readme).text}\n`)?.[1];
  if (readme && section && section.length >= minLicenseLength)
    return [{ file: readme, text: normalizeText(section.replaceAll('&lt;', '<').replaceAll('&gt;', '>')) }];
  const licensePath = join(licenseFolder, getLicenseFileName(name));
  return existsSync(licensePath) ? [{ file: 'LICENSE', text: normalizeText(readFileSync(licensePath, 'utf8')) }] : [];
}

/** Replaces the long Creative Commons license by its address, which the license permits. */
function shortenLicense(text: string): string {
  const address = 'https://creativecommons.org/licenses/by/4.0/legalcode';
  return text.startsWith('Attribution 4.0 International\n') ? `Attribution 4.0 International: ${address}` : text;
}

function getLicenseFileName(name: string): string {
  return `${name.replace('@', '').replace('/', '-')}.txt`;
}

/** Returns a field of package.json that is either a string or an object with the string under a key. */
function getStringField(field: unknown, key: string): string | undefined {
  if (typeof field === 'string') return field;
  if (typeof field !== 'object' || field === null) return undefined;
  const value = (field as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : undefined;
}

/** Removes the byte order mark, carriage returns and trailing whitespace. */
function normalizeText(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** Compares by code unit, so that the order does not depend on the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
