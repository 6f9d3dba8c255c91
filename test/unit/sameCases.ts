// Loaded by mocha before the tests of `npm test`: each random check tries the same cases in every run, so that a run fails for what was
// changed and for nothing else. `npm run test:long` draws others each time, and says the seed of those that fail.
import fc from 'fast-check';
import { getDefaultRunCount } from '../support/manyRuns.ts';

fc.configureGlobal({ seed: 1, numRuns: getDefaultRunCount() });
