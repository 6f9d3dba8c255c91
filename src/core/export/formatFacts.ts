import type { ExportFormat } from '../../shared/exportOptions.ts';

/** What has to be known of a format to offer it. */
export interface FormatFacts {
  /** Of files, without the dot. */
  readonly extension: string;
  /** VS Code's id of the language for an editor tab; undefined for what is no text. */
  readonly language: string | undefined;
  /** Whether a file can say itself whence its rows came. */
  readonly hasComments: boolean;
}

export const formatFacts: Readonly<Record<ExportFormat, FormatFacts>> = {
  csv: { extension: 'csv', language: 'csv', hasComments: true },
  tsv: { extension: 'tsv', language: 'tsv', hasComments: true },
  json: { extension: 'json', language: 'json', hasComments: false },
  ndjson: { extension: 'ndjson', language: 'jsonl', hasComments: false },
  markdown: { extension: 'md', language: 'markdown', hasComments: true },
  parquet: { extension: 'parquet', language: undefined, hasComments: true },
  arrow: { extension: 'arrow', language: undefined, hasComments: true },
  xlsx: { extension: 'xlsx', language: undefined, hasComments: true },
};
