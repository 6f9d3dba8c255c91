import type { Blob } from 'node:buffer';
import type { Stream } from 'node:stream';
import type { Feature } from 'write-excel-file/node';
import { getCellAddress, sanitizeTextContent } from 'write-excel-file/utility';

/** Of the first sheet. */
export interface SheetLayout {
  readonly columns: number;
  /** Rows below the heading; undefined where there is no heading. */
  readonly rows: number | undefined;
  /** What stands above each printed page; empty for nothing. */
  readonly title: string;
}

/** Excel's own font. */
const font = '<name val="Calibri"/><sz val="11"/>';

/** Excel takes 255 characters above a page, and some are written twice. */
const longestTitle = 120;

/**
 * What the library has no option for. Each number of a column gets the style of the first one: the library works a style out
 * anew for every cell that asks for one, which takes longer than the rest of the file, and so it is with a font: without a name each
 * program takes another one for the heading than for the rows. The table gets filters, and is printed with all columns on a page.
 */
export function sheetFeature({ columns, rows, title }: SheetLayout): Feature<Stream | Buffer | Blob> {
  const styles = new Map<number, string | number>();
  const filters =
    rows === undefined || columns === 0 ? '' : `<autoFilter ref="A1:${getCellAddress(rows, columns - 1)}"/>`;
  const words = sanitizeTextContent(title.slice(0, longestTitle).replaceAll('&', '&&'));
  const above = title === '' ? '' : `<headerFooter><oddHeader>&amp;C${words}</oddHeader></headerFooter>`;
  return {
    files: {
      transform: {
        'xl/styles.xml': {
          transform: xml => xml.replaceAll('<font>', `<font>${font}`),
        },
        'xl/worksheets/sheet{id}.xml': {
          transformElementAttributes: (tag, attributes, index) => {
            if (tag === 'pageSetup') return { ...attributes, fitToWidth: 1, fitToHeight: 0 };
            const { s, t } = attributes;
            if (tag !== 'c' || t !== undefined || index === undefined) return attributes;
            const style = s ?? styles.get(index);
            if (style === undefined) return attributes;
            styles.set(index, style);
            attributes['s'] = style;
            return attributes;
          },
          transform: (xml, _options, { sheetIndex }) => {
            if (sheetIndex !== 0) return xml;
            // Excel wants its elements in one order.
            const [view, margins, drawing] = [
              xml.indexOf('<sheetViews>'),
              xml.lastIndexOf('<pageMargins '),
              xml.lastIndexOf('<drawing '),
            ];
            return [
              ...[xml.slice(0, view), '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>', xml.slice(view, margins)],
              ...[filters, xml.slice(margins, drawing), above, xml.slice(drawing)],
            ].join('');
          },
        },
      },
    },
  };
}
