// Mocha loads this file before the tests of `npm run test:long`: each property test runs all of its cases.
import fc from 'fast-check';
import { allRunsVariable, getDefaultRunCount } from '../support/runCount.ts';

process.env[allRunsVariable] = '1';
fc.configureGlobal({ numRuns: getDefaultRunCount() });
