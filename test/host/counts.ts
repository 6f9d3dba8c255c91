import { writeFileSync } from 'node:fs';

/** The environment variable that names the file to which a suite hands its counts. */
export const countsVariable = 'TEST_COUNTS_FILE';

/** How many tests ended in which way. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts what a run of mocha does and, at its end, writes it to the file that `TEST_COUNTS_FILE` names, if it does. */
export function handOverCounts(runner: Mocha.Runner, file: string | undefined = process.env[countsVariable]): void {
  if (!file) return;
  runner.once('end', () => {
    const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
    const counts: Counts = { passed: passes, failed: failures, skipped: pending };
    writeFileSync(file, JSON.stringify(counts));
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
export function countsOfStage(exitCode: number, report: Counts | undefined): Counts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const empty = report.passed + report.failed + report.skipped === 0;
  const unseen = exitCode !== 0 && report.failed === 0;
  return { ...report, failed: report.failed + (empty || unseen ? 1 : 0) };
}
