import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/paths.ts';

/** The environment variable that names the file to which a suite hands its counts. */
export const countsVariable = 'TEST_COUNTS_FILE';

/** How many tests ended in which way. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test that failed, and why. */
export interface Failure {
  /** It failed the first time only, or is here a second time for the second. */
  readonly isRetried?: boolean;
  /** Its full title. */
  readonly title: string;
  /** The first lines of its error, and where in the tests it came from. */
  readonly error: string;
}

/** The counts of a run, and what failed in it. */
export interface Report extends Counts {
  readonly failures?: readonly Failure[];
}

/** Counts what a run of mocha does and, at its end, writes a `Report` to the file that `TEST_COUNTS_FILE` names, if it does. */
export function handOverCounts(runner: Mocha.Runner, file: string | undefined = process.env[countsVariable]): void {
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

/** A page of an error is in the log; the summary holds what tells one failure from another. */
const mostErrorLines = 20;

/** An error in a few lines: what it says, then the lines of its stack that are in the tests of the project in `folder`. */
export function summarizeError(error: unknown, folder: string = root): string {
  if (!isError(error)) return String(error);
  const said = `${error.name === undefined ? '' : `${error.name}: `}${error.message}`
    .split('\n')
    .filter(line => line.trim() !== '');
  // As a path or as a URL, from the source or built for the extension host.
  const tests = [folder.replaceAll('\\', '/'), pathToFileURL(folder).href].flatMap(at => [
    `${at}/test/`,
    `${at}/out/test/`,
  ]);
  const isInTests = (line: string) => tests.some(path => line.replaceAll('\\', '/').includes(path));
  const places = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line) && isInTests(line));
  return [...said.slice(0, mostErrorLines), ...places.slice(0, 2).map(line => line.trim())].join('\n');
}

/** Of the process of mocha that ran the test an error comes as a plain object, mostly without its name. */
function isError(value: unknown): value is Pick<Error, 'message' | 'stack'> & { readonly name?: string } {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** What failed, with its error under it, for the summary of a run. */
export function describeFailures(failures: readonly Failure[] = []): readonly string[] {
  return failures.flatMap(({ title, error, isRetried }) => [
    `  ${isRetried ? 'failed at first' : 'failed'}: ${title}`,
    ...error.split('\n').map(line => `    ${line}`),
  ]);
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
