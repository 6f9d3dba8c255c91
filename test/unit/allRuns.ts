// Loaded by mocha before the tests of `npm run test:long`: each random check tries all of its cases.
import fc from 'fast-check';
import { allRunsVariable, usualRuns } from '../support/manyRuns.ts';

process.env[allRunsVariable] = '1';
fc.configureGlobal({ numRuns: usualRuns() });
