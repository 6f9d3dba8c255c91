// Loaded into every process of a test run (`--import`): puts the mutant in the place of one file of the source.
import { registerHooks } from 'node:module';

const { url: file, source } = JSON.parse(process.env.MUTANT);

registerHooks({
  load(url, context, nextLoad) {
    if (url.split('?')[0] !== file) return nextLoad(url, context);
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
