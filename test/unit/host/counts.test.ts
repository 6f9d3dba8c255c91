import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { countStage, describeCounts, describeFailures, summarizeError, sumCounts } from '../../host/counts.ts';

describe('the counts of a test run', () => {
  it('returns the reported counts when the stage ended normally', () => {
    const report = { passed: 3, failed: 0, skipped: 1 };
    assert.deepEqual(countStage(0, report), report);
  });

  it('keeps reported failures unchanged', () => {
    assert.equal(countStage(2, { passed: 3, failed: 2, skipped: 0 }).failed, 2);
  });

  it('counts one failure for a stage that crashed before its report', () => {
    assert.deepEqual(countStage(1, undefined), { passed: 0, failed: 1, skipped: 0 });
    assert.deepEqual(countStage(0, undefined), { passed: 0, failed: 1, skipped: 0 });
  });

  it('counts one failure for a stage without tests', () => {
    assert.equal(countStage(0, { passed: 0, failed: 0, skipped: 0 }).failed, 1);
  });

  it('counts one failure for a stage that failed after its tests passed', () => {
    assert.deepEqual(countStage(1, { passed: 5, failed: 0, skipped: 0 }), { passed: 5, failed: 1, skipped: 0 });
  });

  it('sums counts on one line, with skipped tests only when there are any', () => {
    const sum = sumCounts([
      { passed: 2, failed: 0, skipped: 0 },
      { passed: 3, failed: 1, skipped: 0 },
    ]);
    assert.equal(describeCounts(sum), '5 passed, 1 failed');
    assert.equal(describeCounts({ ...sum, skipped: 2 }), '5 passed, 1 failed, 2 skipped');
  });

  it("lists each failure's title, error and line", () => {
    const error = new TypeError(`first\n\nsecond${'\nmore'.repeat(40)}`);
    const lines = describeFailures([{ title: 'a thing works', error: summarizeError(error) }]);
    assert.deepEqual(lines.slice(0, 3), ['  failed: a thing works', '    TypeError: first', '    second']);
    assert.match(lines.at(-1) ?? '', /^ {4}at .*counts\.test\.ts/);
    assert.ok(lines.length <= 23, lines.join('\n'));
    assert.equal(summarizeError('a word'), 'a word');
    const { name, message, stack } = error;
    assert.equal(summarizeError({ name, message, stack }), summarizeError(error));
    assert.equal(`TypeError: ${summarizeError({ message, stack })}`, summarizeError(error));
    assert.deepEqual(describeFailures(), []);
    const [line] = describeFailures([{ title: 'a thing works', error: 'late', isRetried: true }]);
    assert.equal(line, '  failed at first: a thing works');
  });

  it('finds the line in the tests for any project path', () => {
    for (const folder of ['/home/a/test/grid', "/home/a/test/it's grid é"]) {
      const error = new Error('no');
      const lines = [
        `    at check (${folder}/test/unit/a.test.ts:1:2)`,
        `    at read (${pathToFileURL(folder).href}/src/core/test/b.ts:3:4)`,
        `    at call (${folder}/node_modules/mocha/test/runnable.js:5:6)`,
        `    at Context.<anonymous> (${pathToFileURL(folder).href}/test/unit/a.test.ts:7:8)`,
      ];
      error.stack = ['Error: no', ...lines].join('\n');
      const locations = [lines[0], lines[3]].map(line => line?.trim());
      assert.deepEqual(summarizeError(error, folder).split('\n'), ['Error: no', ...locations]);
    }
  });
});
