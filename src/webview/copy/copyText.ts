import { delimitedLayout, standardCsv, tsv } from '../../core/export/delimited.ts';
import { withUnit } from '../../core/export/exportTable.ts';
import { isoTimes } from '../../core/export/isoTime.ts';
import { jsonLayout } from '../../core/export/jsonRecords.ts';
import { markdownCaption, markdownLayout } from '../../core/export/markdown.ts';
import { wholeText, type TextLayout } from '../../core/export/textLayout.ts';
import type { CopyRange } from './copyRange.ts';
import { sampleDataMark } from '../../core/serviceMeta.ts';
import { shortZone } from '../../core/zone.ts';

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown';

/**
 * The range as text, without a line end after the last line. Values are exact whatever the table rounds: numbers to the last
 * digit with a decimal point, times as ISO 8601 with the offset of the zone, a gap as an empty cell (JSON: null, or no key
 * where the field was absent). `headers` means nothing in JSON, whose keys are the service's own. Throws a RangeError above
 * the longest text there is (about 500 million characters).
 */
export function copyText(range: CopyRange, format: CopyFormat, headers: boolean): string {
  const { rows } = range;
  const text = wholeText(layoutOf(range, format, headers), { rows, rowCount: rows.length });
  return text.replace(/\r?\n$/, '');
}

function layoutOf(range: CopyRange, format: CopyFormat, headers: boolean): TextLayout {
  const { columns, zone } = range;
  const time = isoTimes(zone.timeZone);
  const heading = headers ? headersOf(range) : undefined;
  switch (format) {
    case 'tsv':
      // As spreadsheets put it on the clipboard.
      return delimitedLayout(columns, heading, time, { ...tsv, emptyText: '' });
    case 'csv':
      return delimitedLayout(columns, heading, time, standardCsv);
    case 'json':
      return jsonLayout(columns, time);
    case 'markdown': {
      const layout = markdownLayout(columns, heading, time);
      const { origin } = range;
      const caption = origin?.isSample ? markdownCaption(`${sampleDataMark} · ${origin.connection}`) : '';
      return { ...layout, head: caption + layout.head, empty: caption + layout.empty };
    }
  }
}

/**
 * The service's field names, since they carry their unit (`residual_demand_mw`), are the same in every language, and join with
 * exports and code; a time column says its zone as well (`ts (SAST)`), which no name tells. Of Sample Data the first one says so.
 */
function headersOf({ columns, zone, origin }: CopyRange): string[] {
  return columns.map(({ name, kind }, at) => {
    const facts = [kind === 'time' ? shortZone(zone) : '', at === 0 && origin?.isSample ? sampleDataMark : ''];
    return withUnit(name, facts.filter(Boolean).join(', '));
  });
}
