import Mocha from 'mocha';
import { writeCounts } from './counts.ts';

/** Mocha's spec reporter, which also writes the counts for the summary of all suites. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    writeCounts(runner);
  }
}

// Mocha loads a reporter module by its default export.
export { CountingReporter as default };
