import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/paths.ts';

/** The environment variable that holds the path of the file to which a suite writes its counts. */
export const countsVariable = 'TEST_COUNTS_FILE';

/** Numbers of tests by outcome. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A failed test. */
export interface Failure {
  /** Whether the test ran again afterwards. A second failure is a second entry. */
  readonly isRetried?: boolean;
  /** The full title of the test. */
  readonly title: string;
  /** The first lines of the error, with the stack lines that are in test files. */
  readonly error: string;
}

/** The counts and failures of a run. */
export interface Report extends Counts {
  readonly failures?: readonly Failure[];
}

/** Writes a `Report` to `file` when the run ends. Does nothing without a file, which `TEST_COUNTS_FILE` names by default. */
export function writeCounts(runner: Mocha.Runner, file: string | undefined = process.env[countsVariable]): void {
  if (!file) return;
  const details: Failure[] = [];
  runner.on('fail', (test, error: unknown) => {
    details.push({ title: test.fullTitle(), error: summarizeError(error) });
  });
  runner.on('retry', (test: Mocha.Test, error: unknown) => {
    details.push({ title: test.fullTitle(), error: summarizeError(error), isRetried: true });
  });
  runner.once('end', () => {
    const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
    const report: Report = { passed: passes, failed: failures, skipped: pending, failures: details };
    writeFileSync(file, JSON.stringify(report));
  });
}

/** The log has the whole error; the summary needs only enough to tell failures apart. */
const maxErrorLines = 20;

/** Returns the first lines of an error's message, then its stack lines that are in the tests of the project in `folder`. */
export function summarizeError(error: unknown, folder: string = root): string {
  if (!isError(error)) return String(error);
  const messageLines = `${error.name === undefined ? '' : `${error.name}: `}${error.message}`
    .split('\n')
    .filter(line => line.trim() !== '');
  // Stack lines name a path or a URL, of a source or of its bundle for the extension host.
  const testFolders = [folder.replaceAll('\\', '/'), pathToFileURL(folder).href].flatMap(base => [
    `${base}/test/`,
    `${base}/out/test/`,
  ]);
  const isInTests = (line: string) => testFolders.some(path => line.replaceAll('\\', '/').includes(path));
  const stackLines = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line) && isInTests(line));
  return [...messageLines.slice(0, maxErrorLines), ...stackLines.slice(0, 2).map(line => line.trim())].join('\n');
}

/** Mocha's worker processes send errors as plain objects, usually without a name. */
function isError(value: unknown): value is Pick<Error, 'message' | 'stack'> & { readonly name?: string } {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** Lists failed tests and their errors for the summary of a run. */
export function describeFailures(failures: readonly Failure[] = []): readonly string[] {
  return failures.flatMap(({ title, error, isRetried }) => [
    `  ${isRetried ? 'failed at first' : 'failed'}: ${title}`,
    ...error.split('\n').map(line => `    ${line}`),
  ]);
}

export function sumCounts(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      failed: sum.failed + next.failed,
      skipped: sum.skipped + next.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The last line of a test run. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns the counts of a stage. A missing or empty report is treated as a failure. */
export function countStage(exitCode: number, report: Report | undefined): Counts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { passed, failed, skipped } = report;
  const isEmpty = passed + failed + skipped === 0;
  const hasUnreportedFailure = exitCode !== 0 && failed === 0;
  return { passed, failed: failed + (isEmpty || hasUnreportedFailure ? 1 : 0), skipped };
}
