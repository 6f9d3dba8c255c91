import type { ExportFormat, ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { commentLines, delimitedLayout, semicolonCsv, standardCsv, tsv, type DelimitedForm } from './delimited.ts';
import { headingOf, type WrittenTable } from './exportTable.ts';
import { isoTimes, receivedTimes } from './isoTime.ts';
import { jsonLayout, ndjsonLayout } from './jsonRecords.ts';
import { markdownCaption, markdownComment, markdownLayout } from './markdown.ts';
import { provenanceLines, provenanceTitle } from './exportProvenance.ts';
import type { TextLayout } from './textLayout.ts';

export type TextFormat = Exclude<ExportFormat, 'parquet' | 'arrow' | 'xlsx'>;

/** Whether the format is text. */
export function isTextFormat(format: ExportFormat): format is TextFormat {
  return format !== 'parquet' && format !== 'arrow' && format !== 'xlsx';
}

/** A table laid out as a text file, without a byte order mark. */
export function textLayout(
  { columns }: Pick<WrittenTable, 'columns'>,
  format: TextFormat,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
): TextLayout {
  const { times, zone } = options;
  const time = times === 'received' ? receivedTimes() : isoTimes(times === 'utc' ? 'UTC' : zone.timeZone);
  const heading = headingOf(columns, options);
  const said = options.provenance === 'comment' && provenance ? provenanceLines(provenance) : undefined;
  switch (format) {
    case 'csv':
    case 'tsv': {
      const form = formOf(format, options);
      return below(said && commentLines(said, form), delimitedLayout(columns, heading, time, form));
    }
    case 'markdown':
      return below(
        (said ? markdownComment(said) : '') + (provenance?.data ? markdownCaption(provenanceTitle(provenance)) : ''),
        markdownLayout(columns, heading, time),
      );
    case 'json':
      return jsonLayout(columns, time);
    case 'ndjson':
      return ndjsonLayout(columns, time);
  }
}

function formOf(format: 'csv' | 'tsv', { dialect }: ExportOptions): DelimitedForm {
  if (format === 'tsv') return tsv;
  return dialect === 'semicolon' ? semicolonCsv : standardCsv;
}

function below(comment: string | undefined, layout: TextLayout): TextLayout {
  if (!comment) return layout;
  return { ...layout, head: comment + layout.head, empty: comment + layout.empty };
}
