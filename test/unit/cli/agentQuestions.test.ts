import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { root } from '../../../scripts/paths.ts';
import { startSandbox, type RunningSandbox } from '../../../src/sandbox/embedded.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { has, python, run } from '../core/snippets/tools.ts';

/** A question of a grid analyst, and the one call with which a model answers it. */
interface Question {
  readonly id: string;
  readonly question: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Matches the lines of the reply with the answer. Its groups are the figures, and their units are part of it. */
  readonly answer: string;
}

type Figures = readonly (string | number)[];

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
const questions = readJson('agentQuestions.json') as readonly Question[];
/** The output of agentQuestions.py for a sandbox. To write it again: `python3 agentQuestions.py > agentQuestions.expected.json`. */
const expectedFigures = readJson('agentQuestions.expected.json') as Readonly<Record<string, Figures>>;

const roundFigure = (figure: string | number): string =>
  typeof figure === 'number' ? String(Number(figure.toPrecision(6))) : figure;

/** Returns a Python that has pandas. */
async function findPandas(): Promise<string | undefined> {
  for (const program of [python, 'python3']) if (await has(program, '-c', 'import pandas')) return program;
  return undefined;
}

describe('an agent that answers questions of an analyst through grid mcp', () => {
  let sandbox: RunningSandbox;
  let key: string;
  let client: Client;

  async function call({ tool, input }: Pick<Question, 'tool' | 'input'>): Promise<string> {
    const result = (await client.callTool({ name: tool, arguments: { ...input } })) as CallToolResult;
    const [content] = result.content;
    const text = content?.type === 'text' ? content.text : '';
    assert.notEqual(result.isError, true, text);
    return text;
  }

  before(async () => {
    sandbox = await startSandbox();
    key = sandbox.createKey('analyst').value;
    const storage = createTemporaryFolder();
    client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(root, 'src/cli/grid.ts'), 'mcp'],
        env: {
          HOME: createTemporaryFolder(),
          GRID_DATA_STORAGE: storage,
          GRID_DATA_URL: sandbox.baseUrl,
          GRID_DATA_API_KEY: key,
        },
        cwd: storage,
        stderr: 'ignore',
      }),
    );
    // The hours of all questions.
    const range = '2022-12-31T00:00:00Z..2024-07-01T00:00:00Z';
    await call({ tool: 'gridData_queryStateAndStress', input: { range } });
  });

  after(async () => {
    await client.close();
    await sandbox.close();
  });

  it('has 40 questions, each with expected figures', () => {
    assert.equal(questions.length, 40);
    assert.deepEqual(
      questions.map(({ id }) => id),
      Object.keys(expectedFigures),
    );
  });

  for (const { id, question, tool, input, answer } of questions)
    it(`gets the figures of pandas from one call: ${question}`, async () => {
      const text = await call({ tool, input });
      const figures = Array.from(text.matchAll(new RegExp(answer, 'gm')), match => match.slice(1)).flat();
      assert.deepEqual(figures, expectedFigures[id]?.map(roundFigure), text);
      assert.match(text, /^Requests spent: 0;/m);
    });

  it('is told which hours a difference covers, and gets no time for the extremes of a profile', async () => {
    const ask = async (analysis: object) => {
      const input = { range: '2024-W26', timeZone: 'SAST', fields: ['thermal_mw'], analysis };
      return call({ tool: 'gridData_querySystemState', input });
    };
    const compare = { kind: 'previousPeriod', align: 'position' };
    const summary = await ask({ compare, summarize: ['energy'] });
    assert.match(summary, /^Differences .* use only the rows that both periods have\.$/m);
    assert.doesNotMatch(summary, /^\d+ rows\.$/m);
    const days = await ask({ compare, resample: 'day', figures: 'energy' });
    assert.match(days, /^Each figure covers the hours of its own period,/m);
    assert.match(days, /^"ts","hours","hours · compared","of_hours","of_hours · compared","thermal_mwh",/m);
    assert.match(
      await ask({ resample: 'hourOfDay', figures: 'mean' }),
      /^"thermal_mw" \[MW\] \| 24, 0, 0 \| [\d.]+ \| [\d.]+ \|/m,
    );
  });

  it('is compared with the figures that pandas computes from the same hours', async function () {
    const program = await findPandas();
    if (program === undefined) this.skip();
    const env = { GRID_DATA_URL: sandbox.baseUrl, GRID_DATA_API_KEY: key };
    const { stdout, stderr, code } = await run(program, [join(import.meta.dirname, 'agentQuestions.py')], env);
    assert.equal(code, 0, stderr);
    const computed = JSON.parse(stdout) as Readonly<Record<string, Figures>>;
    const roundAll = (figures: typeof computed) =>
      Object.entries(figures).map(([id, values]) => [id, values.map(roundFigure)]);
    assert.deepEqual(roundAll(computed), roundAll(expectedFigures));
  });
});
