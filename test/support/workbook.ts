import { strToU8, zipSync } from 'fflate';

const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const excelEpoch = Date.UTC(1899, 11, 30);

/** Creates a minimal workbook from the XML of one sheet, with formats for a time of day and an instant. */
export function createWorkbookFromXml(sheet: Uint8Array): Uint8Array {
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${officeNamespace}/${kind}" Target="${target}"/>`;
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts count="2"><numFmt numFmtId="164" formatCode="hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy/mm/dd hh:mm:ss"/></numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>',
  };
  const bytes = Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)] as const);
  return zipSync({ ...Object.fromEntries(bytes), 'xl/worksheets/sheet1.xml': sheet });
}

/** Creates a workbook with the rows of one sheet, without the exporter's code. Dates are UTC; those on Excel's first day are times of day. */
export function createWorkbook(rows: readonly (readonly (string | number | Date | null)[])[]): Uint8Array {
  const cell = (value: string | number | Date | null, address: string): string => {
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
    if (typeof value === 'string')
      return `<c r="${address}" t="inlineStr"><is><t>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
    const serial = (value.getTime() - excelEpoch) / 86_400_000;
    return `<c r="${address}" s="${serial <= 1 ? 1 : 2}"><v>${serial}</v></c>`;
  };
  const xml = rows.map((cells, row) => {
    const written = cells.map((value, column) => cell(value, `${columnLetters(column)}${row + 1}`));
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  return createWorkbookFromXml(strToU8(`<worksheet><sheetData>${xml.join('')}</sheetData></worksheet>`));
}

function columnLetters(column: number): string {
  return (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));
}
