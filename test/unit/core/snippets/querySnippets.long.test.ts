import assert from 'node:assert/strict';
import { aggregateDays } from '../../../../src/core/bins/binFrame.ts';
import { decode } from '../../../../src/core/decode/decode.ts';
import { createRequestParameters } from '../../../../src/core/query/query.ts';
import { querySnippets } from '../../../../src/core/snippets/querySnippets.ts';
import { describeRun } from './describeRun.ts';
import { createSnippetQuery } from './questions.ts';
import { startSnippetService } from './snippetService.ts';
import { has, python, run, runText } from './tools.ts';

describeRun('python');
describeRun('r');

describe('a query snippet', () => {
  const params = { note: `it's "a" $HOME \`id\`\n` };
  const snippetQuery = createSnippetQuery('https://grid.example', { range: 'last 7 days', params });

  it('generates valid Python', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const { stderr } = await runText(python, 's.py', querySnippets.python.write(snippetQuery), {}, '-m', 'py_compile');
    assert.equal(stderr, '');
  });

  it('generates valid R', async function () {
    if (!(await has('Rscript', '--version'))) this.skip();
    const script = `invisible(quote({\n${querySnippets.r.write(snippetQuery)}\n}))`;
    const { stderr, code } = await runText('Rscript', 's.R', script);
    assert.equal(code, 0, stderr);
  });

  it('generates valid PowerShell', async function () {
    if (!(await has('pwsh', '-Version'))) this.skip();
    const script = querySnippets.powerShell.write(snippetQuery);
    const parseCommand =
      '$e = $null; [void][System.Management.Automation.Language.Parser]::ParseInput($env:TEXT, [ref]$null, [ref]$e); $e';
    const { stdout } = await run('pwsh', ['-NoProfile', '-Command', parseCommand], { TEXT: script });
    assert.equal(stdout.trim(), '');
  });
});

describe('a Python snippet for the days of a time zone', () => {
  it('returns the same days as the extension', async function () {
    if (!(await has(python, '-c', 'import requests, pandas'))) this.skip();
    const service = await startSnippetService();
    try {
      const { query, ...snippetQuery } = createSnippetQuery(service.baseUrl, {
        range: '2023-03-25..2023-03-27',
        interval: '1d@Europe/Berlin',
      });
      const { days } = query;
      assert.ok(days);
      const program = querySnippets.python.write({ ...snippetQuery, query });
      const printStatement =
        '\nprint("ROWS", frame["thermal_mw"].reset_index(drop=True).to_json(orient="values", double_precision=15))';
      const result = await runText(python, 's.py', program + printStatement, { GRID_DATA_API_KEY: service.key });
      assert.deepEqual([result.stderr, result.code], ['', 0]);
      const rows = JSON.parse(result.stdout.slice(result.stdout.indexOf('ROWS ') + 5)) as number[][];
      const parameters = new URLSearchParams(createRequestParameters(query));
      const response = await fetch(`${service.baseUrl}${query.dataset.path}?${parameters.toString()}`, {
        headers: { 'X-API-KEY': service.key },
      });
      const { frame } = decode([await response.json()]);
      assert.ok(frame);
      const dailyFrame = aggregateDays(frame, { edges: days.edges, intervalMs: 3_600_000, zone: days.zone });
      const means = dailyFrame.columns.find(({ name }) => name === 'thermal_mw');
      assert.ok(means?.kind === 'number');
      assert.deepEqual(
        rows.map(([mean = NaN, , , , count]) => [mean.toFixed(6), count]),
        Array.from(means.values, (mean, day) => [mean.toFixed(6), means.hours?.[day]]),
      );
      assert.equal(rows.length, 3);
    } finally {
      await service.close();
    }
  });
});
