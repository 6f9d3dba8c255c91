import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, BundleText } from './sourceTexts.ts';

/** Texts by the key of their English. */
export type Texts = Readonly<Record<string, BundleText>>;

/** A translated file of a language, with the English texts. */
interface TranslatedFile {
  /** Such as `l10n/bundle.l10n.af.json`. */
  readonly name: string;
  readonly english: Texts;
  readonly translated: Texts;
}

/** Paths of the files with the texts of the code, the manifest and the schema: in English, or in `language`. */
export const fileNames = {
  bundle: (language = '') => `l10n/bundle.l10n${language && `.${language}`}.json`,
  manifest: (language = '') => `package.nls${language && `.${language}`}.json`,
  schema: (language = '') => `media/grid-queries.schema${language && `.${language}`}.json`,
};

/** Lists the languages into which the texts of the code are translated. */
export function listLanguages(root: string): string[] {
  return readdirSync(join(root, 'l10n'))
    .flatMap(name => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [])
    .sort();
}

export function listTranslatedFiles(root: string, bundle: Bundle): TranslatedFile[] {
  const manifest = readTexts(root, fileNames.manifest());
  return listLanguages(root).flatMap(language => [
    { name: fileNames.bundle(language), english: bundle, translated: readTexts(root, fileNames.bundle(language)) },
    {
      name: fileNames.manifest(language),
      english: manifest,
      translated: readTexts(root, fileNames.manifest(language)),
    },
  ]);
}

/** Describes missing, unused and empty texts of a translation, and those whose placeholders differ from the English. */
export function findProblems({ name, english, translated }: TranslatedFile): string[] {
  const missing = Object.keys(english).filter(key => translated[key] === undefined);
  const stale = Object.keys(translated).filter(key => english[key] === undefined);
  const different = Object.entries(translated).filter(([key, text]) => {
    const source = english[key];
    return source !== undefined && serializeMarks(getMessage(source)) !== serializeMarks(getMessage(text));
  });
  const empty = Object.entries(translated).filter(([, text]) => getMessage(text).trim() === '');
  return [
    ...missing.map(key => `${name} lacks ${JSON.stringify(key)}`),
    ...stale.map(key => `${name} has ${JSON.stringify(key)}, which no source uses`),
    ...different.map(([key]) => `${name} has other {…}, links or commands than ${JSON.stringify(key)}`),
    ...empty.map(([key]) => `${name} is empty at ${JSON.stringify(key)}`),
  ];
}

/** Returns the text alone, without comments for translators. */
export function getMessage(text: BundleText): string {
  return typeof text === 'string' ? text : text.message;
}

export function readTexts(root: string, name: string): Texts {
  const path = join(root, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Texts) : {};
}

/** Serializes the parts that translations must preserve: placeholders, link targets, `code`, and leading and trailing spaces. */
function serializeMarks(text: string): string {
  const marks = text.match(/\{\w*\}|\]\([^)]*\)|`[^`]*`|\$\([\w-]+\)/g) ?? [];
  const [leading, trailing] = [/^\s*/, /\s*$/].map(pattern => pattern.exec(text)?.[0] ?? '');
  return JSON.stringify([marks.sort(), leading, trailing, text.endsWith('…')]);
}
