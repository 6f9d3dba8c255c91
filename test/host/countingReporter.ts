import Mocha from 'mocha';
import { handOverCounts } from './counts.ts';

/** Mocha's usual report, and the counts for the one line under all suites. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    handOverCounts(runner);
  }
}

// Mocha takes a reporter that is a module by its default export.
export { CountingReporter as default };
