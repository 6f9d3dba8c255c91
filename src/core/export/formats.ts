import type {
  CsvDialect,
  ExportFormat,
  ExportOptions,
  ExportProvenance,
  ExportTimes,
} from '../../shared/exportOptions.ts';
import type { Column } from '../../shared/frame.ts';
import { commentLines, delimitedLayout, semicolonCsv, standardCsv, tsv, type DelimitedForm } from './delimited.ts';
import { provenanceLines, provenanceTitle } from './exportProvenance.ts';
import { headingOf, type WrittenTable } from './exportTable.ts';
import { isoTimes, receivedTimes, type TimeText } from './isoTime.ts';
import { jsonLayout, ndjsonLayout } from './jsonRecords.ts';
import { markdownCaption, markdownComment, markdownLayout } from './markdown.ts';
import type { TextLayout } from './cellWriter.ts';

/** The input of a text layout. */
interface TextParts {
  readonly columns: readonly Column[];
  readonly heading: readonly string[] | undefined;
  readonly time: TimeText;
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
  /** A description in English, translated by the host. `semicolonUse` describes the semicolon dialect if that differs. */
  readonly use: string;
  readonly semicolonUse?: string;
  /** The file extension, without the dot. */
  readonly extension: string;
  /** For text formats: VS Code's language id for an editor tab, and the layout. */
  readonly text?: { readonly language: string; readonly layout: (parts: TextParts) => TextLayout };
  /** Whether a file contains its provenance. */
  readonly saysOrigin: 'always' | 'asComment' | 'never';
  /** How the format writes times, regardless of the options. */
  readonly times?: Exclude<ExportTimes, 'received'>;
  /** The names by which snippets find the columns; undefined if no snippet reads the format. */
  readonly names?: 'heading' | 'fields' | 'uniqueFields' | 'sheetHeading';
}

export const formats: Readonly<Record<ExportFormat, FormatDescriptor>> = {
  csv: {
    name: 'CSV',
    extension: 'csv',
    saysOrigin: 'asComment',
    names: 'heading',
    use: 'comma and decimal point (RFC 4180)',
    semicolonUse: 'semicolon and decimal comma, as Excel reads it in many languages',
    text: {
      language: 'csv',
      layout: parts => delimited(parts, parts.dialect === 'semicolon' ? semicolonCsv : standardCsv),
    },
  },
  tsv: {
    name: 'TSV',
    extension: 'tsv',
    saysOrigin: 'asComment',
    names: 'heading',
    use: 'columns separated by tabs',
    text: { language: 'tsv', layout: parts => delimited(parts, tsv) },
  },
  json: {
    name: 'JSON',
    extension: 'json',
    saysOrigin: 'never',
    names: 'fields',
    use: 'an array of records',
    text: { language: 'json', layout: ({ columns, time }) => jsonLayout(columns, time) },
  },
  ndjson: {
    name: 'NDJSON',
    extension: 'ndjson',
    saysOrigin: 'never',
    names: 'fields',
    use: 'one JSON record a line',
    text: { language: 'jsonl', layout: ({ columns, time }) => ndjsonLayout(columns, time) },
  },
  markdown: {
    name: 'Markdown',
    extension: 'md',
    saysOrigin: 'always',
    use: 'a table for documents and issues',
    text: {
      language: 'markdown',
      layout: ({ columns, heading, time, comment, provenance }) =>
        below(
          (comment ? markdownComment(comment) : '') +
            (provenance?.data ? markdownCaption(provenanceTitle(provenance)) : ''),
          markdownLayout(columns, heading, time),
        ),
    },
  },
  parquet: {
    name: 'Parquet',
    extension: 'parquet',
    saysOrigin: 'always',
    times: 'utc',
    names: 'uniqueFields',
    use: 'typed columns, for DuckDB, Spark, pandas, polars',
  },
  arrow: {
    name: 'Arrow',
    extension: 'arrow',
    saysOrigin: 'always',
    times: 'utc',
    names: 'uniqueFields',
    use: 'typed columns, for pandas, polars, R',
  },
  xlsx: {
    name: 'Excel',
    extension: 'xlsx',
    saysOrigin: 'always',
    times: 'zone',
    names: 'sheetHeading',
    use: 'a workbook with real dates and numbers',
  },
};

/** Returns the layout of a table as a text file, without a byte order mark; undefined for a binary format. */
export function textLayout(
  { columns }: Pick<WrittenTable, 'columns'>,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): TextLayout | undefined {
  const { times, zone, dialect } = options;
  const time = times === 'received' ? receivedTimes() : isoTimes(times === 'utc' ? 'UTC' : zone.timeZone);
  const comment = options.provenance === 'comment' && provenance ? provenanceLines(provenance) : undefined;
  const heading = headingOf(columns, options);
  return formats[options.format].text?.layout({ columns, heading, time, dialect, comment, provenance });
}

function delimited({ columns, heading, time, comment }: TextParts, form: DelimitedForm): TextLayout {
  return below(comment && commentLines(comment, form), delimitedLayout(columns, heading, time, form));
}

function below(comment: string | undefined, layout: TextLayout): TextLayout {
  if (!comment) return layout;
  return { ...layout, head: comment + layout.head, empty: comment + layout.empty };
}
