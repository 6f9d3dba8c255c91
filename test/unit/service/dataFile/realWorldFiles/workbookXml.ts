import { strToU8, zipSync } from 'fflate';

const schemas = 'http://schemas.openxmlformats.org';
const main = `${schemas}/spreadsheetml/2006/main`;
const office = `${schemas}/officeDocument/2006/relationships`;
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The number formats of the cell styles: none, a date and time, a date, percent, a time of day. */
const formats = [0, 22, 14, 9, 20];

/** Creates a workbook from the XML of the rows of each sheet, with shared strings. */
export function workbook(
  sheets: Readonly<Record<string, string>>,
  texts: readonly string[] = [],
  { merged = '', properties = '' }: { readonly merged?: string; readonly properties?: string } = {},
): Uint8Array {
  const parts = [
    ...Object.entries(sheets).map(([name, rows], index) => ({
      name,
      id: `rId${index + 1}`,
      kind: 'worksheet',
      path: `worksheets/sheet${index + 1}.xml`,
      xml: `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${merged}</worksheet>`,
    })),
    {
      id: 'rIdStyles',
      kind: 'styles',
      path: 'styles.xml',
      xml: `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${formats.length}">${formats.map(id => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    },
    {
      id: 'rIdTexts',
      kind: 'sharedStrings',
      path: 'sharedStrings.xml',
      xml: `<sst xmlns="${main}">${texts.map(text => `<si><t xml:space="preserve">${text}</t></si>`).join('')}</sst>`,
    },
  ];
  const relations = (
    targets: readonly { readonly id: string; readonly kind: string; readonly path: string }[],
  ): string =>
    `<Relationships xmlns="${schemas}/package/2006/relationships">${targets.map(({ id, kind, path }) => `<Relationship Id="${id}" Type="${office}/${kind}" Target="${path}"/>`).join('')}</Relationships>`;
  const names = parts.flatMap(part =>
    'name' in part ? `<sheet name="${part.name}" sheetId="${part.id.slice(3)}" r:id="${part.id}"/>` : [],
  );
  const types = parts.map(
    ({ path, kind }) => `<Override PartName="/xl/${path}" ContentType="${content}.${kind}+xml"/>`,
  );
  const files: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': relations([{ id: 'rId1', kind: 'officeDocument', path: 'xl/workbook.xml' }]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(parts),
    ...Object.fromEntries(parts.map(({ path, xml }) => [`xl/${path}`, xml])),
  };
  const heading = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  return zipSync(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(heading + xml)])));
}

/** Creates rows from a row number on, with the addresses of their cells. Empty cells are omitted. */
export function sheetRows(first: number, ...rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells, row) => {
      const addressedCells = cells.map((cell, index) =>
        cell.replace('<c', `<c r="${String.fromCharCode(65 + index)}${first + row}"`),
      );
      return `<row r="${first + row}">${addressedCells.join('')}</row>`;
    })
    .join('');
}

export const text = (inline: string): string => `<c t="inlineStr"><is><t>${inline}</t></is></c>`;
export const shared = (index: number): string => `<c t="s"><v>${index}</v></c>`;
/** `style`: the index of the number format. */
export const number = (value: number, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;
