// Writes the English bundle of all texts and the schemas, and reports problems of each translation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { serializeSchema, listSchemaTexts } from './schema.ts';
import { createSourceBundle } from './sourceTexts.ts';
import { findProblems, fileNames, listLanguages, readTexts, listTranslatedFiles } from './translations.ts';

const bundle = createSourceBundle(root, listSchemaTexts());
writeFileSync(join(root, fileNames.bundle()), `${JSON.stringify(bundle, null, 2)}\n`);
console.log(`${fileNames.bundle()}: ${Object.keys(bundle).length} texts`);
for (const language of ['', ...listLanguages(root)]) {
  const schema = serializeSchema(readTexts(root, fileNames.bundle(language)));
  writeFileSync(join(root, fileNames.schema(language)), schema);
}
const problems = listTranslatedFiles(root, bundle).flatMap(findProblems);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
