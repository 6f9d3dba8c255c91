// Writes the English bundle of the code's texts and the schemas, and says what each translation lacks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { schemaIn, schemaTexts } from './schema.ts';
import { sourceBundle } from './sourceTexts.ts';
import { faultsOf, fileNames, languages, readTexts, translatedFiles } from './translations.ts';

const bundle = sourceBundle(root, schemaTexts());
writeFileSync(join(root, fileNames.bundle()), `${JSON.stringify(bundle, null, 2)}\n`);
console.log(`${fileNames.bundle()}: ${Object.keys(bundle).length} texts`);
for (const language of ['', ...languages(root)]) {
  const schema = schemaIn(readTexts(root, fileNames.bundle(language)));
  writeFileSync(join(root, fileNames.schema(language)), schema);
}
const faults = translatedFiles(root, bundle).flatMap(faultsOf);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
