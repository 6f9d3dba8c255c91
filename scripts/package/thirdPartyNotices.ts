import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of esbuild's metafile that are read: which sources each output was made of, and how much of each is left in it. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** A package of which something is shipped. */
export interface Notice {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it. */
  readonly license: string;
  readonly author?: string;
  readonly repository?: string;
  /** The texts that have to be passed on, by the name of the file each is from. */
  readonly texts: readonly { readonly file: string; readonly text: string }[];
}

/** What esbuild.js copies as it is, which no metafile names, and what has to be said of it. */
export const copiedPackages: Readonly<Record<string, string>> = {
  '@fontsource/arimo': 'The fonts dist/arimo-*.woff2 are shipped as they are.',
  '@resvg/resvg-wasm': 'The program dist/index_bg.wasm is shipped as it is; its source is in the repository above.',
  '@vscode/codicons':
    'The font dist/codicon.ttf (CC-BY-4.0) and its style sheet dist/codicon.css (MIT) are shipped as they are.',
};

/** The license texts of packages that come without one, each named for its package: vscode-l10n.txt is of @vscode/l10n. */
export const keptLicenses = join(import.meta.dirname, 'licenses');

const licenseFile = /^(?:licen[cs]e|copying)(?:-\w+)?(?:\.(?:txt|md|markdown))?$/i;
const noticeFile = /^(?:copyright)?notice(?:\.(?:txt|md|markdown))?$/i;
/** The section of a README under the heading "License", whichever way the heading is written. */
const licenseSection =
  /^(?:#+ *licen[cs]e *#*|licen[cs]e *\n-+) *\n([^]*?)(?=\n#+ |\n[^\n]+\n-{3,}\n|\n\[[^\]]+\]: |$(?![^]))/im;
/** "MIT © somebody", or a paragraph that points to the Apache License, names a license and is not its text. The shortest text has 655. */
const leastLicenseLength = 600;

/** The folders of all packages of which at least a byte is in an output, sorted, relative to the folder that was built in. */
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** Reads what a package says of itself. Throws an Error that says what to do when it has no license or no text of it. */
export function readNotice(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const [name, version, license] = ['name', 'version', 'license'].map(key => textOf(manifest[key], 'type'));
  if (!name || !version || !license) throw new Error(`${folder}/package.json lacks its name, version or license.`);
  const files = readdirSync(folder).sort();
  const read = (file: string) => ({ file, text: shortened(tidy(readFileSync(join(folder, file), 'utf8'))) });
  const licenses = files.filter(file => licenseFile.test(file)).map(read);
  const texts = licenses.some(({ text }) => text.length >= leastLicenseLength)
    ? licenses
    : textElsewhere(name, files, read);
  if (texts.length === 0)
    throw new Error(
      `${name} ${version} (${license}) is shipped, and its folder has no license text. Put the text of its repository into ` +
        `scripts/package/licenses/${keptName(name)}, or leave the package out of the bundle.`,
    );
  const [author, repository] = [textOf(manifest['author'], 'name'), textOf(manifest['repository'], 'url')];
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
    texts: [...texts, ...files.filter(file => noticeFile.test(file)).map(read)],
  };
}

/** The terms of the Apache License, to the letter the same in each text of it. */
const apacheTerms = /^ *Apache License\n[^]*?END OF TERMS AND CONDITIONS$/m;

/** The whole of ThirdPartyNotices.txt. The terms of the Apache License stand in it once. */
export function formatNotices(notices: readonly Notice[]): string {
  const rule = '='.repeat(80);
  const sorted = [...notices].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
  const known = new Set<string>();
  const once = (terms: string): string => {
    if (known.has(terms)) return 'The terms of the Apache License, Version 2.0, are those above.';
    known.add(terms);
    return terms;
  };
  const sections = sorted.map(({ name, version, license, author, repository, texts }) =>
    [
      rule,
      `${name} ${version} (${license})`,
      ...[author && `By ${author}`, repository, copiedPackages[name]].filter(Boolean),
      rule,
      ...texts.flatMap(({ file, text }) => [
        '',
        ...(texts.length > 1 ? [`--- ${file} ---`, ''] : []),
        text.replace(apacheTerms, once),
      ]),
    ].join('\n'),
  );
  const head = `Grid Data Inspector contains parts of these ${sorted.length} packages, under the terms that follow.`;
  return `${[head, ...sorted.map(({ name, version, license }) => `  ${name} ${version} (${license})`)].join('\n')}

${sections.join('\n\n')}
`;
}

function textElsewhere(
  name: string,
  files: readonly string[],
  read: (file: string) => Notice['texts'][number],
): Notice['texts'] {
  const readme = files.find(file => /^readme\.md$/i.test(file));
  const section = readme && licenseSection.exec(`${read(readme).text}\n`)?.[1];
  if (readme && section && section.length >= leastLicenseLength)
    return [{ file: readme, text: tidy(section.replaceAll('&lt;', '<').replaceAll('&gt;', '>')) }];
  const kept = join(keptLicenses, keptName(name));
  return existsSync(kept) ? [{ file: 'LICENSE', text: tidy(readFileSync(kept, 'utf8')) }] : [];
}

/** The license of Creative Commons, which is longer than all others together, demands its text or its address. */
function shortened(text: string): string {
  const address = 'https://creativecommons.org/licenses/by/4.0/legalcode';
  return text.startsWith('Attribution 4.0 International\n') ? `Attribution 4.0 International: ${address}` : text;
}

function keptName(name: string): string {
  return `${name.replace('@', '').replace('/', '-')}.txt`;
}

/** A field of package.json that is either a text or an object with one. */
function textOf(field: unknown, key: string): string | undefined {
  if (typeof field === 'string') return field;
  if (typeof field !== 'object' || field === null) return undefined;
  const value = (field as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : undefined;
}

/** Without what an editor of the author's left: a mark of the byte order, carriage returns, blanks at ends. */
function tidy(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** By code unit: the same order in every language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
