import { formatCurlSnippet } from './curl.ts';
import { formatPowerShellSnippet } from './powerShell.ts';
import { formatPythonSnippet } from './python.ts';
import type { SnippetQuery } from './snippetQuery.ts';
import { formatRSnippet } from './r.ts';
import { formatTypeScriptSnippet } from './typeScript.ts';

/** The languages of query snippets. */
export const queryLanguages = ['curl', 'python', 'r', 'typeScript', 'powerShell'] as const;
export type QueryLanguage = (typeof queryLanguages)[number];

/** Returns the languages in the order in which they are offered. Windows (`win32`) offers PowerShell first. */
export function getQueryLanguages(platform: string): readonly QueryLanguage[] {
  return platform === 'win32' ? [...new Set<QueryLanguage>(['powerShell', ...queryLanguages])] : queryLanguages;
}

/** A language. A new one needs an id in `queryLanguages` and an entry in `querySnippets`. */
interface QuerySnippet {
  readonly name: string;
  /** VS Code's language id for an editor. */
  readonly editorLanguage: string;
  /** The requirements and the result of the program. English, translated by the host. */
  readonly description: string;
  /** Writes the program that runs the query. */
  readonly write: (snippetQuery: SnippetQuery) => string;
}

export const querySnippets: Readonly<Record<QueryLanguage, QuerySnippet>> = {
  curl: {
    name: 'curl',
    editorLanguage: 'shellscript',
    write: formatCurlSnippet,
    description: 'a bash script that prints the response as JSON',
  },
  python: {
    name: 'Python',
    editorLanguage: 'python',
    write: formatPythonSnippet,
    description: 'requests and pandas; a data frame indexed by UTC instants',
  },
  r: {
    name: 'R',
    editorLanguage: 'r',
    write: formatRSnippet,
    description: 'httr2; a data frame with instants in UTC',
  },
  typeScript: {
    name: 'TypeScript',
    editorLanguage: 'typescript',
    write: formatTypeScriptSnippet,
    description: 'Node.js fetch; prints the rows as JSON',
  },
  powerShell: {
    name: 'PowerShell',
    editorLanguage: 'powershell',
    write: formatPowerShellSnippet,
    description: 'PowerShell 7; an object for each row',
  },
};
