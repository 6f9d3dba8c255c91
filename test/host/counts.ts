import { writeFileSync } from 'node:fs';

/** The environment variable that names the file to which a suite hands its counts. */
export const countsVariable = 'TEST_COUNTS_FILE';

/** How many tests ended in which way. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of a run, and the files of tests in which something failed. */
export interface Report extends Counts {
  readonly failedFiles?: readonly string[];
}

/** Counts what a run of mocha does and, at its end, writes a `Report` to the file that `TEST_COUNTS_FILE` names, if it does. */
export function handOverCounts(runner: Mocha.Runner, file: string | undefined = process.env[countsVariable]): void {
  if (!file) return;
  const failedFiles = new Set<string>();
  runner.on('fail', test => failedFiles.add(test.file ?? test.parent?.file ?? ''));
  runner.once('end', () => {
    const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
    const report: Report = { passed: passes, failed: failures, skipped: pending, failedFiles: [...failedFiles] };
    writeFileSync(file, JSON.stringify(report));
  });
}

/** Adds counts up. */
export function sumCounts(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The last line of a test run. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** What a stage counts for: without a report of its own, or with an empty one, it has failed once. */
export function countsOfStage(exitCode: number, report: Report | undefined): Counts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped } = report;
  const empty = passed + failed + skipped === 0;
  const unseen = exitCode !== 0 && failed === 0;
  return { passed, failed: failed + (empty || unseen ? 1 : 0), skipped };
}

/** So many files with failures may be a busy machine; more are not. */
const mostAgain = 3;

/**
 * The files to run once more: a window driven from outside can be too late on a busy machine, and what is really broken fails
 * again. None where all passed, where too much failed, or where it is not known what did.
 */
export function filesToRunAgain(counts: Counts, report: Report | undefined): readonly string[] {
  const files = report?.failedFiles ?? [];
  const isKnown = counts.failed === report?.failed && !files.includes('');
  return isKnown && files.length <= mostAgain ? files : [];
}

/** The counts after a second run of the files with failures: what failed there has failed, all else that failed has passed. */
export function withSecondRun(first: Counts, second: Counts): Counts {
  return { ...first, passed: first.passed + Math.max(0, first.failed - second.failed), failed: second.failed };
}
