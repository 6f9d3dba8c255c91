import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { pseudoBundle } from '../../l10n/pseudo.ts';
import { fileNames, readTexts } from '../../l10n/translations.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** The name of a language that nobody speaks. */
export const pseudoLanguage = 'qps-ploc';

/** The extension as it is built, with a translation into the pseudo language; in a folder of its own. Returns the folder. */
export function makePseudoExtension(): string {
  const folder = temporaryFolder();
  for (const part of ['dist', 'media', 'package.json', fileNames.manifest()])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const { queriesSchema = '', ...texts } = readTexts(root, fileNames.manifest());
  mkdirSync(join(folder, 'l10n'));
  const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content));
  write(fileNames.bundle(pseudoLanguage), pseudoBundle(readTexts(root, fileNames.bundle())));
  write(fileNames.manifest(pseudoLanguage), { ...pseudoBundle(texts), queriesSchema });
  return folder;
}
