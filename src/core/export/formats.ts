import type {
  CsvDialect,
  ExportFormat,
  ExportOptions,
  ExportProvenance,
  ExportTimes,
} from '../../shared/exportOptions.ts';
import type { Column } from '../../shared/frame.ts';
import {
  formatComments,
  createDelimitedLayout,
  semicolonCsv,
  standardCsv,
  tsv,
  type DelimitedForm,
} from './delimited.ts';
import { formatProvenanceLines, formatProvenanceTitle } from './exportProvenance.ts';
import { createHeading, type TableToWrite } from './exportTable.ts';
import { createIsoTimeFormatter, createReceivedTimeFormatter, type TimeFormatter } from './timeFormatters.ts';
import { createJsonLayout, createNdjsonLayout } from './jsonRecords.ts';
import { formatMarkdownCaption, formatMarkdownComment, createMarkdownLayout } from './markdown.ts';
import type { TextLayout } from './cellWriter.ts';

/** The input of a text layout. */
interface TextParts {
  readonly columns: readonly Column[];
  readonly heading: readonly string[] | undefined;
  readonly time: TimeFormatter;
  readonly dialect: CsvDialect;
  /** The lines of the provenance to write into the file; undefined for none. */
  readonly comment: readonly string[] | undefined;
  readonly provenance: ExportProvenance | undefined;
}

/**
 * An export format. A new one needs an id in `exportFormats` and an entry here; a binary format also needs a writer in
 * `service/export/exporter.ts`.
 */
interface FormatDescriptor {
  /** The format's name, the same in every language. */
  readonly name: string;
  /** A description in English, translated by the host. `semicolonDescription` describes the semicolon dialect if that differs. */
  readonly description: string;
  readonly semicolonDescription?: string;
  /** The file extension, without the dot. */
  readonly extension: string;
  /** For text formats: VS Code's language id for an editor tab, and the layout. */
  readonly text?: { readonly language: string; readonly layout: (parts: TextParts) => TextLayout };
  /** Whether a file contains its provenance. */
  readonly provenanceIn: 'always' | 'asComment' | 'never';
  /** How the format writes times, regardless of the options. */
  readonly times?: Exclude<ExportTimes, 'received'>;
  /** The names by which snippets find the columns; undefined if no snippet reads the format. */
  readonly columnNames?: 'heading' | 'fields' | 'uniqueFields' | 'sheetHeading';
}

export const exportFormatDescriptors: Readonly<Record<ExportFormat, FormatDescriptor>> = {
  csv: {
    name: 'CSV',
    extension: 'csv',
    provenanceIn: 'asComment',
    columnNames: 'heading',
    description: 'comma and decimal point (RFC 4180)',
    semicolonDescription: 'semicolon and decimal comma, as Excel reads it in many languages',
    text: {
      language: 'csv',
      layout: parts => createDelimited(parts, parts.dialect === 'semicolon' ? semicolonCsv : standardCsv),
    },
  },
  tsv: {
    name: 'TSV',
    extension: 'tsv',
    provenanceIn: 'asComment',
    columnNames: 'heading',
    description: 'columns separated by tabs',
    text: { language: 'tsv', layout: parts => createDelimited(parts, tsv) },
  },
  json: {
    name: 'JSON',
    extension: 'json',
    provenanceIn: 'never',
    columnNames: 'fields',
    description: 'an array of records',
    text: { language: 'json', layout: ({ columns, time }) => createJsonLayout(columns, time) },
  },
  ndjson: {
    name: 'NDJSON',
    extension: 'ndjson',
    provenanceIn: 'never',
    columnNames: 'fields',
    description: 'one JSON record a line',
    text: { language: 'jsonl', layout: ({ columns, time }) => createNdjsonLayout(columns, time) },
  },
  markdown: {
    name: 'Markdown',
    extension: 'md',
    provenanceIn: 'always',
    description: 'a table for documents and issues',
    text: {
      language: 'markdown',
      layout: ({ columns, heading, time, comment, provenance }) =>
        prependComment(
          (comment ? formatMarkdownComment(comment) : '') +
            (provenance?.data ? formatMarkdownCaption(formatProvenanceTitle(provenance)) : ''),
          createMarkdownLayout(columns, heading, time),
        ),
    },
  },
  parquet: {
    name: 'Parquet',
    extension: 'parquet',
    provenanceIn: 'always',
    times: 'utc',
    columnNames: 'uniqueFields',
    description: 'typed columns, for DuckDB, Spark, pandas, polars',
  },
  arrow: {
    name: 'Arrow',
    extension: 'arrow',
    provenanceIn: 'always',
    times: 'utc',
    columnNames: 'uniqueFields',
    description: 'typed columns, for pandas, polars, R',
  },
  xlsx: {
    name: 'Excel',
    extension: 'xlsx',
    provenanceIn: 'always',
    times: 'zone',
    columnNames: 'sheetHeading',
    description: 'a workbook with real dates and numbers',
  },
};

/** Returns the layout of a table as a text file, without a byte order mark; undefined for a binary format. */
export function createTextLayout(
  { columns }: Pick<TableToWrite, 'columns'>,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): TextLayout | undefined {
  const { times, zone, dialect } = options;
  const time =
    times === 'received'
      ? createReceivedTimeFormatter()
      : createIsoTimeFormatter(times === 'utc' ? 'UTC' : zone.timeZone);
  const comment = options.provenance === 'comment' && provenance ? formatProvenanceLines(provenance) : undefined;
  const heading = createHeading(columns, options);
  return exportFormatDescriptors[options.format].text?.layout({ columns, heading, time, dialect, comment, provenance });
}

function createDelimited({ columns, heading, time, comment }: TextParts, form: DelimitedForm): TextLayout {
  return prependComment(comment && formatComments(comment, form), createDelimitedLayout(columns, heading, time, form));
}

function prependComment(comment: string | undefined, layout: TextLayout): TextLayout {
  if (!comment) return layout;
  return { ...layout, head: comment + layout.head, empty: comment + layout.empty };
}
