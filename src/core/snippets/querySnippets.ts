import { curlSnippet } from './curl.ts';
import { powerShellSnippet } from './powerShell.ts';
import { pythonSnippet } from './python.ts';
import type { SnippetQuery } from './snippetQuery.ts';
import { rSnippet } from './r.ts';
import { typeScriptSnippet } from './typeScript.ts';

/** The languages a query is said in. */
export const queryLanguages = ['curl', 'python', 'r', 'typeScript', 'powerShell'] as const;
export type QueryLanguage = (typeof queryLanguages)[number];

/** How a language is said: its name, VS Code's id of it for an editor, and the program that asks the question. */
export interface QuerySnippet {
  readonly name: string;
  readonly editorLanguage: string;
  readonly write: (question: SnippetQuery) => string;
}

export const querySnippets: Readonly<Record<QueryLanguage, QuerySnippet>> = {
  curl: { name: 'curl', editorLanguage: 'shellscript', write: curlSnippet },
  python: { name: 'Python', editorLanguage: 'python', write: pythonSnippet },
  r: { name: 'R', editorLanguage: 'r', write: rSnippet },
  typeScript: { name: 'TypeScript', editorLanguage: 'typescript', write: typeScriptSnippet },
  powerShell: { name: 'PowerShell', editorLanguage: 'powershell', write: powerShellSnippet },
};
