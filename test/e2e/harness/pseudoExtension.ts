import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';
import { createPseudoBundle } from '../../l10n/pseudo.ts';
import { fileNames, readTexts } from '../../l10n/translations.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

/** The code of the pseudo language. */
export const pseudoLanguage = 'qps-ploc';

/** Copies the built extension into a temporary folder, and adds a translation into the pseudo language. Returns the folder. */
export function createPseudoExtension(): string {
  const folder = createTemporaryFolder();
  for (const path of ['dist', 'media', 'package.json', fileNames.manifest()])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const { queriesSchema = '', ...texts } = readTexts(root, fileNames.manifest());
  mkdirSync(join(folder, 'l10n'));
  const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content));
  write(fileNames.bundle(pseudoLanguage), createPseudoBundle(readTexts(root, fileNames.bundle())));
  write(fileNames.manifest(pseudoLanguage), { ...createPseudoBundle(texts), queriesSchema });
  return folder;
}
