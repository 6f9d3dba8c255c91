// Writes the English bundle of the code's texts, and says what each translation lacks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { sourceBundle } from './sourceTexts.ts';
import { faultsOf, fileNames, translatedFiles } from './translations.ts';

const bundle = sourceBundle(root);
writeFileSync(join(root, fileNames.bundle()), `${JSON.stringify(bundle, null, 2)}\n`);
console.log(`${fileNames.bundle()}: ${Object.keys(bundle).length} texts`);
const faults = translatedFiles(root, bundle).flatMap(faultsOf);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
