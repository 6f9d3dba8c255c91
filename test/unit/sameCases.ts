// Mocha loads this file before the tests of `npm test`. Property tests use a fixed seed, so that only a change of the code can make
// them fail. `npm run test:long` uses random seeds, and prints the seed of a failure.
import fc from 'fast-check';
import { getDefaultRunCount } from '../support/runCount.ts';

fc.configureGlobal({ seed: 1, numRuns: getDefaultRunCount() });
