import { querySnippets, type QueryLanguage } from '../../src/core/snippets/querySnippets.ts';
import { has, runText } from '../unit/core/snippets/tools.ts';
import { toCells, findFirstDifference, type Cells } from './cells.ts';
import { runPrograms, secondsSince, type Engine, type Machine } from './engine.ts';
import { createQuery, startService, fetchTable } from './gridTables.ts';

interface Language {
  /** A command that succeeds if the language is installed. */
  readonly needs?: readonly [string, ...string[]];
  /** Runs the program and returns its rows. */
  readonly run: (text: string, env: Record<string, string>, machine: Machine) => Promise<readonly Cells[]>;
}

const languages: Readonly<Record<QueryLanguage, Language>> = {
  curl: {
    needs: ['curl', '--version'],
    run: async (text, env) => {
      const responses = (await runAndRead('sh', 's.sh', text, env)).trim().split('\n');
      return responses.flatMap(response => (JSON.parse(response) as { data: Cells[] }).data);
    },
  },
  python: {
    run: async (text, env, { python }) => {
      const [outcome] = await runPrograms([python], [{ name: 'query', kind: 'pandas', code: text }], env);
      if (!outcome?.rows) throw new Error(outcome?.error);
      return outcome.rows;
    },
  },
  r: {
    needs: ['Rscript', '-e', 'library(httr2); library(jsonlite)'],
    run: async (text, env) => {
      const json = 'cat("\\nROWS", jsonlite::toJSON(rows, digits = NA, na = "null", POSIXt = "epoch"))';
      const output = await runAndRead('Rscript', 's.R', `${text}\n${json}`, env);
      return JSON.parse(output.slice(output.lastIndexOf('ROWS ') + 5)) as Cells[];
    },
  },
  typeScript: {
    run: async (text, env) => JSON.parse(await runAndRead(process.execPath, 's.mts', text, env)) as Cells[],
  },
  powerShell: {
    needs: ['pwsh', '-Version'],
    run: async (text, env) => {
      const json = '@($rows) | ConvertTo-Json -Depth 9 -Compress';
      return JSON.parse(await runAndRead('pwsh', 's.ps1', `${text}\n"ROWS"\n${json}`, env)) as Cells[];
    },
  },
};

async function runAndRead(program: string, name: string, text: string, env: Record<string, string>): Promise<string> {
  const { stdout, stderr, code } = await runText(program, name, text, env);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Fetches seven weeks in requests of ten days with the snippet of each language. */
export const engine: Engine = {
  async *run(machine) {
    const service = await startService();
    try {
      for (const [id, language] of Object.entries(languages) as [QueryLanguage, Language][])
        for (const [dataset, interval] of [
          ['systemState', '1h'],
          ['systemState', '1d'],
          ['gridStress', '1h'],
        ] as const) {
          const { name, write } = querySnippets[id];
          const label = `${name}: ${dataset} ${interval}`;
          const startMs = performance.now();
          if (language.needs && !(await has(...language.needs))) {
            yield { label, seconds: secondsSince(startMs), skipped: `${language.needs.join(' ')} does not run here` };
            continue;
          }
          const query = createQuery(dataset, '2024-01-20..2024-03-09', interval);
          const snippetInput = { baseUrl: service.baseUrl, query, maxRangeMs: 240 * 3_600_000 };
          const expected = toCells(await fetchTable(query, service));
          const env = { GRID_DATA_API_KEY: service.createKey('program').value };
          const rows = await language.run(write(snippetInput), env, machine).catch((error: unknown) => String(error));
          const failure = typeof rows === 'string' ? rows : findFirstDifference(expected, rows);
          yield { label, rows: rows.length, seconds: secondsSince(startMs), failure };
        }
    } finally {
      await service.close();
    }
  },
};
