import assert from 'node:assert/strict';
import { querySnippets } from '../../../../src/core/snippets/querySnippets.ts';
import { describeRun } from './describeRun.ts';
import { questionOf } from './questions.ts';
import { has, python, run, runText } from './tools.ts';

describeRun('python');
describeRun('r');

describe('a query in languages that may not be installed', () => {
  const params = { note: `it's "a" $HOME \`id\`\n` };
  const question = questionOf('https://grid.example', { range: 'last 7 days', params });

  it('parses as Python', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const { stderr } = await runText(python, 's.py', querySnippets.python.write(question), {}, '-m', 'py_compile');
    assert.equal(stderr, '');
  });

  it('parses as R', async function () {
    if (!(await has('Rscript', '--version'))) this.skip();
    const parsed = `invisible(quote({\n${querySnippets.r.write(question)}\n}))`;
    const { stderr, code } = await runText('Rscript', 's.R', parsed);
    assert.equal(code, 0, stderr);
  });

  it('parses as PowerShell', async function () {
    if (!(await has('pwsh', '-Version'))) this.skip();
    const script = querySnippets.powerShell.write(question);
    const check =
      '$e = $null; [void][System.Management.Automation.Language.Parser]::ParseInput($env:TEXT, [ref]$null, [ref]$e); $e';
    const { stdout } = await run('pwsh', ['-NoProfile', '-Command', check], { TEXT: script });
    assert.equal(stdout.trim(), '');
  });
});
