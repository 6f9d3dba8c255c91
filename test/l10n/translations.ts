import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, BundleText } from './sourceTexts.ts';

/** Texts under the key of their English. */
export type Texts = Readonly<Record<string, BundleText>>;

/** The two files that a language has, beside their English. */
interface TranslatedFile {
  /** Such as `l10n/bundle.l10n.af.json`. */
  readonly name: string;
  readonly english: Texts;
  readonly translated: Texts;
}

/** Where the texts of the code and of the manifest are kept; with a language, its translation of them. */
export const fileNames = {
  bundle: (language = '') => `l10n/bundle.l10n${language && `.${language}`}.json`,
  manifest: (language = '') => `package.nls${language && `.${language}`}.json`,
  schema: (language = '') => `media/grid-queries.schema${language && `.${language}`}.json`,
};

/** The languages that have a translation of the code's texts. */
export function languages(root: string): string[] {
  return readdirSync(join(root, 'l10n'))
    .flatMap(name => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [])
    .sort();
}

/** Every translation with the English it is made from. */
export function translatedFiles(root: string, bundle: Bundle): TranslatedFile[] {
  const manifest = readTexts(root, fileNames.manifest());
  return languages(root).flatMap(language => [
    { name: fileNames.bundle(language), english: bundle, translated: readTexts(root, fileNames.bundle(language)) },
    {
      name: fileNames.manifest(language),
      english: manifest,
      translated: readTexts(root, fileNames.manifest(language)),
    },
  ]);
}

/** What a translation lacks, has too much, or says with other places for values than its English; a line each. */
export function faultsOf({ name, english, translated }: TranslatedFile): string[] {
  const lacking = Object.keys(english).filter(key => translated[key] === undefined);
  const stale = Object.keys(translated).filter(key => english[key] === undefined);
  const broken = Object.entries(translated).filter(([key, text]) => {
    const source = english[key];
    return source !== undefined && marksOf(messageOf(source)) !== marksOf(messageOf(text));
  });
  const empty = Object.entries(translated).filter(([, text]) => messageOf(text).trim() === '');
  return [
    ...lacking.map(key => `${name} lacks ${JSON.stringify(key)}`),
    ...stale.map(key => `${name} has ${JSON.stringify(key)}, which no source uses`),
    ...broken.map(([key]) => `${name} has other {…}, links or commands than ${JSON.stringify(key)}`),
    ...empty.map(([key]) => `${name} is empty at ${JSON.stringify(key)}`),
  ];
}

/** The text itself; with comments for translators it is kept in an object. */
export function messageOf(text: BundleText): string {
  return typeof text === 'string' ? text : text.message;
}

export function readTexts(root: string, name: string): Texts {
  const path = join(root, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Texts) : {};
}

/** What must survive a translation: places for values, targets of links, `code`, and the blanks that join sentences. */
function marksOf(text: string): string {
  const marks = text.match(/\{\w*\}|\]\([^)]*\)|`[^`]*`|\$\([\w-]+\)/g) ?? [];
  const [blanks, trailing] = [/^\s*/, /\s*$/].map(edge => edge.exec(text)?.[0] ?? '');
  return JSON.stringify([marks.sort(), blanks, trailing, text.endsWith('…')]);
}
