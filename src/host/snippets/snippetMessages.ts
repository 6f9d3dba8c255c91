import * as vscode from 'vscode';
import type { DataEngine } from '../../core/snippets/dataSnippets.ts';
import type { QueryLanguage } from '../../core/snippets/querySnippets.ts';

/** What a program that asks the service needs, and what it ends with. */
export function queryLanguageText(language: QueryLanguage): string {
  const { t } = vscode.l10n;
  switch (language) {
    case 'curl':
      return t('a script for bash; prints the answer as JSON');
    case 'python':
      return t('requests and pandas; a data frame indexed by UTC instants');
    case 'r':
      return t('httr2; a data frame with instants in UTC');
    case 'typeScript':
      return t('fetch of Node.js, no package; prints the rows as JSON');
    case 'powerShell':
      return t('PowerShell 7; an object for each row');
  }
}

/** What a program that reads data on disk is; `language` is that of its text. */
export function dataEngineText(engine: DataEngine, language: string): string {
  const { t } = vscode.l10n;
  switch (engine) {
    case 'duckdb':
      return language === 'sql'
        ? t('SQL; a table, and a first look at it')
        : t('SQL by way of Python, and a first look');
    case 'pandas':
      return t('a data frame, and a first look at it');
    case 'polars':
      return t('a data frame with polars, and a first look at it');
    case 'spark':
      return t('PySpark, for what one machine does not hold');
  }
}
