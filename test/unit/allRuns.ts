// Loaded by mocha before the tests of `npm run test:long`: each random check tries all of its cases.
import { allRunsVariable } from '../support/manyRuns.ts';

process.env[allRunsVariable] = '1';
