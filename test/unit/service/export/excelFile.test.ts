import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import type { ExportOptions, ExportProvenance } from '../../../../src/shared/exportOptions.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import { anyTable, exportToBytes, listRowIndexes, sast, standard, valueAt } from './anyFrame.ts';
import { zipText } from './zipText.ts';
import { isJsonNumber } from '../../../../src/core/export/cellWriter.ts';

const sastMs = 2 * 3_600_000;
const firstSheet = 'xl/worksheets/sheet1.xml';

/** Converts a cell to a value that a sheet can store. */
function toSheetValue(column: Column, row: number): unknown {
  const value = valueAt(column, row) ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  if (value instanceof Date) return value.getTime() + sastMs;
  if (typeof value !== 'string' || isJsonNumber(value)) return value;
  return toXmlText(value);
}

/** Converts a text as XML stores it and this reader trims it: without invalid characters, with one kind of line end. */
function toXmlText(text: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const cleaned = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffd-\uffff]/g, '');
  const validText = cleaned.replace(/\p{Noncharacter_Code_Point}/gu, '');
  return validText.replace(/\r\n?/g, '\n').trim() || null;
}

describe('Excel', () => {
  it('round-trips a workbook through another reader, with dates in the time zone', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async table => {
        const bytes = await exportToBytes(table, { format: 'xlsx', zone: sast });
        const [heading, ...rows] = (await readSheet(bytes)) as unknown[][];
        const { columns } = table.frame;
        const names = columns.map(({ kind, name }) => toXmlText(kind === 'time' ? `${name} (SAST)` : name));
        const trimCells = (cells: readonly unknown[] = []): unknown[] =>
          columns.map((_, index) => trimCell(cells[index]));
        assert.deepEqual(trimCells(heading), names);
        for (const [position, row] of listRowIndexes(table).entries())
          for (const [index, cell] of trimCells(rows[position]).entries()) {
            const expectedCell = columns[index] && toSheetValue(columns[index], row);
            assert.deepEqual(cell instanceof Date ? cell.getTime() : cell, expectedCell);
          }
      }),
      { numRuns: 30 },
    );
  });

  it('writes dates from March 1900 to 9999, and texts outside', async () => {
    const instants = [
      ...['1900-02-28T23:59:59Z', '1900-03-01T00:00:00Z'],
      ...['9999-12-31T23:59:59Z', '+010000-01-01T00:00:00Z'],
    ];
    const values = Float64Array.from(instants, text => Date.parse(text));
    const frame: Frame = { rowCount: 4, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }] };
    const [, ...rows] = await readSheet(await exportToBytes({ frame }, { format: 'xlsx' }));
    assert.deepEqual(
      rows.map(([cell]) => (cell instanceof Date ? cell.getTime() : cell)),
      [instants[0], values[1], values[2], instants[3]],
    );
  });

  it('adds UTC times only if the clocks change and hours are repeated', async () => {
    const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
    const sheet = async (first: string): Promise<unknown[][]> => {
      const hours = [0, 1, 2].map(hour => ({
        ts: new Date(Date.parse(first) + hour * 3_600_000).toISOString(),
        v: hour,
      }));
      return readSheet(await exportToBytes({ frame: recordsToFrame(hours) }, { format: 'xlsx', zone: berlin }));
    };
    const formatCell = (cell: unknown): unknown => (cell instanceof Date ? cell.toISOString().slice(0, 16) : cell);
    assert.deepEqual(
      (await sheet('2023-10-29T00:00:00Z')).map(row => row.map(formatCell)),
      [
        ['ts (Europe/Berlin)', 'ts (UTC)', 'v'],
        ['2023-10-29T02:00', '2023-10-29T00:00', 0],
        ['2023-10-29T02:00', '2023-10-29T01:00', 1],
        ['2023-10-29T03:00', '2023-10-29T02:00', 2],
      ],
    );
    assert.deepEqual((await sheet('2023-10-27T00:00:00Z'))[0], ['ts (Europe/Berlin)', 'v']);
  });

  it('uses the clock of the time zone at the limits of dates', async () => {
    const zone = { timeZone: 'America/New_York', label: 'New York' };
    const values = Float64Array.from(
      ['1900-03-01T04:59:59Z', '1900-03-01T05:00:00Z', '+010000-01-01T00:00:00Z'],
      Date.parse,
    );
    const frame: Frame = { rowCount: 3, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }] };
    const [, ...rows] = await readSheet(await exportToBytes({ frame }, { format: 'xlsx', zone }));
    assert.deepEqual(
      rows.map(([cell]) => (cell instanceof Date ? cell.toISOString() : cell)),
      ['1900-02-28T23:59:59-05:00', '1900-03-01T00:00:00.000Z', '9999-12-31T19:00:00.000Z'],
    );
  });

  it('writes each hour in its own year', async () => {
    const first = Date.UTC(2023, 11, 31, 20);
    const hours = Array.from({ length: 9_000 }, (_, hour) => first + hour * 3_600_000);
    const frame = recordsToFrame(hours.map(ms => ({ ts: new Date(ms).toISOString() })));
    const [, ...rows] = await readSheet(await exportToBytes({ frame }, { format: 'xlsx', zone: sast }));
    assert.deepEqual(
      rows.map(([cell]) => (cell instanceof Date ? cell.getTime() - sastMs : cell)),
      hours,
    );
  });

  it('writes 0 for negative zero', async () => {
    const [, ...rows] = await readSheet(
      await exportToBytes({ frame: recordsToFrame([{ a: -0 }, { a: 1 }]) }, { format: 'xlsx', zone: sast }),
    );
    assert.deepEqual(rows, [[0], [1]]);
  });

  it('shows every value in full, with the decimals of the table and its heading', async () => {
    const rows = [
      { ts: '2023-05-01T00:00:00Z', residual_demand_mw: 19_834.5, renewable_share_pct: 4.8561, pv_mw: 0, odd: 1e-9 },
      { ts: '2023-05-01T01:00:00Z', residual_demand_mw: -1_234_567.25, renewable_share_pct: 12, pv_mw: null, odd: 5 },
    ];
    const frame = describeFields(recordsToFrame(rows), findDataset('systemState')?.fields ?? new Map());
    const bytes = await exportToBytes({ frame }, { format: 'xlsx', zone: sast });
    const [heading = []] = (await readSheet(bytes)) as unknown[][];
    assert.deepEqual(heading, ['Hour (SAST)', 'Residual demand (MW)', 'Renewable share (%)', 'PV (MW)', 'odd']);
    const sheet = zipText(bytes, firstSheet);
    const styles = zipText(bytes, 'xl/styles.xml');
    const formats = new Map(
      matches(styles, /<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g).map(([id, format]) => [id, format] as const),
    );
    const styleFormats = matches(listCellStyles(styles), /<xf (?:numFmtId="(\d+)")?/g).map(
      ([id = '']) => formats.get(id) ?? '',
    );
    const cells = matches(sheet, /<c r="([A-E])[23]"(?: s="(\d+)")?><v>/g);
    assert.deepEqual(
      cells.map(([column = '', style = '0']) => [column, styleFormats[Number(style)]].join('')),
      [
        ...['Ayyyy-mm-dd hh:mm', 'B#,##0.00', 'C#,##0.0000', 'D#,##0', 'E'],
        ...['Ayyyy-mm-dd hh:mm', 'B#,##0.00', 'C#,##0.0000', 'E'],
      ],
    );
    const widths = matches(sheet, /<col min="\d+" max="\d+" width="(\d+)" customWidth="1"\/>/g).map(([width]) =>
      Number(width),
    );
    const longest = ['2023-05-01 02:00', '-1,234,567.25', '12.00', '0', '1E-09'];
    for (const [column, text] of longest.entries())
      assert.ok(
        (widths[column] ?? 0) > Math.max(text.length, String(heading[column]).length),
        `${text} in ${widths[column]}`,
      );
  });

  it('aligns headings with their values: right over numbers and dates, left over texts', async () => {
    const rows = [{ ts: '2023-05-01T00:00:00Z', mw: 1.5, on: true, note: 'a', parts: [1] }];
    const bytes = await exportToBytes({ frame: recordsToFrame(rows) }, { format: 'xlsx', zone: sast });
    const styles = matches(listCellStyles(zipText(bytes, 'xl/styles.xml')), /<xf ([^>]*?)(?:\/>|>(.*?)<\/xf>)/g);
    const headings = matches(zipText(bytes, firstSheet), /<c r="([A-E])1" s="(\d+)"/g);
    assert.deepEqual(
      headings.map(([column = '', style]) => {
        const [, inner = ''] = styles[Number(style)] ?? [];
        return [column, /horizontal="(\w+)"/.exec(inner)?.[1]];
      }),
      [
        ['A', 'right'],
        ['B', 'right'],
        ['C', 'center'],
        ['D', 'left'],
        ['E', 'left'],
      ],
    );
  });

  it('freezes the heading, and filters the table', async () => {
    const frame = recordsToFrame([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
    const sheet = zipText(await exportToBytes({ frame }, { format: 'xlsx' }), firstSheet);
    assert.match(sheet, /<pane ySplit="1"[^>]* topLeftCell="A2"[^>]* state="frozen"/);
    const order = matches(
      sheet,
      /<(sheetPr|sheetViews|cols|sheetData|autoFilter ref="A1:B3"|pageMargins|pageSetup)[ />]/g,
    );
    assert.deepEqual(order.flat(), [
      ...['sheetPr', 'sheetViews', 'cols', 'sheetData', 'autoFilter ref="A1:B3"', 'pageMargins', 'pageSetup'],
    ]);
    const bare = zipText(await exportToBytes({ frame }, { format: 'xlsx', heading: 'none' }), firstSheet);
    assert.doesNotMatch(bare, /<pane|autoFilter/);
  });

  it('uses one font, bold in the heading', async () => {
    const frame = recordsToFrame([{ ts: '2023-06-01T00:00:00Z', mw: 1 }]);
    const styles = zipText(await exportToBytes({ frame }, { format: 'xlsx' }), 'xl/styles.xml');
    const fonts = styles.match(/<font>.*?<\/font>/g) ?? [];
    assert.deepEqual(
      fonts.map(font => [
        /<name val="(\w+)"/.exec(font)?.[1],
        /<sz val="(\d+)"/.exec(font)?.[1],
        font.includes('<b/>'),
      ]),
      [
        ['Calibri', '11', false],
        ['Calibri', '11', true],
      ],
      styles,
    );
  });

  it('escapes a text that looks like a workbook escape', async () => {
    const frame = recordsToFrame([{ a_x0062_: '_x003D_1+1', b: 'x_x0041__x004a_', c: '_x41_ _y0041_ _X0041_' }]);
    const sheet = zipText(await exportToBytes({ frame }, { format: 'xlsx' }), firstSheet);
    assert.deepEqual(matches(sheet, /<t[^>]*>([^<]*)<\/t>/g).flat(), [
      'a_x005F_x0062_',
      'b',
      'c',
      '_x005F_x003D_1+1',
      'x_x005F_x0041__x005F_x004a_',
      '_x41_ _y0041_ _x005F_X0041_',
    ]);
  });

  it('removes characters that are invalid in XML', async () => {
    const frame = recordsToFrame([{ a: 'x\u0001\u000B\uFFFE\u{1FFFE}y\n\u0085😀', b: '\u0000' }]);
    const sheet = zipText(await exportToBytes({ frame }, { format: 'xlsx', heading: 'none' }), firstSheet);
    assert.deepEqual(matches(sheet, /<t>([^<]*)<\/t>/g).flat(), ['xy\n\u0085😀', '']);
  });

  it('writes a number that a double cannot represent as a text with all digits', async () => {
    const texts = { codes: Uint32Array.of(0, 1), entries: ['12345678901234567890', '1.5'] };
    const frame: Frame = { rowCount: 2, columns: [{ kind: 'nested', name: 'a', path: ['a'], texts }] };
    assert.deepEqual(await readSheet(await exportToBytes({ frame }, { format: 'xlsx', heading: 'none' })), [
      ['12345678901234567890'],
      [1.5],
    ]);
  });

  it('shows seconds and milliseconds of dates only if an instant has them', async () => {
    const getFormat = async (...instants: number[]): Promise<string | undefined> => {
      const values = Float64Array.from(instants);
      const frame: Frame = { rowCount: values.length, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }] };
      const styles = zipText(await exportToBytes({ frame }, { format: 'xlsx' }), 'xl/styles.xml');
      return /formatCode="([^"]*)"/.exec(styles)?.[1];
    };
    assert.equal(await getFormat(0, NaN, 60_000), 'yyyy-mm-dd hh:mm');
    assert.equal(await getFormat(1000, 60_000), 'yyyy-mm-dd hh:mm:ss');
    assert.equal(await getFormat(1000, 60_001, 0), 'yyyy-mm-dd hh:mm:ss.000');
  });

  it('keeps the spaces at the ends of a text', async () => {
    const sheet = zipText(
      await exportToBytes({ frame: recordsToFrame([{ a: ' x ', b: 'y z' }]) }, { format: 'xlsx' }),
      firstSheet,
    );
    assert.match(sheet, /<t xml:space="preserve"> x <\/t>.*<t>y z<\/t>/);
  });

  it('fits all columns on a page, also of a table without columns', async () => {
    const sheet = zipText(await exportToBytes({ frame: { rowCount: 0, columns: [] } }, { format: 'xlsx' }), firstSheet);
    assert.match(sheet, /<pageSetUpPr fitToPage="1"\/>.*<pageSetup [^>]*orientation="landscape" fitToHeight="0"\/>/);
    assert.doesNotMatch(sheet, /<cols|<autoFilter|<headerFooter/);
  });

  it('prints the connection and the instants on each page', async () => {
    const provenance = {
      connection: 'A & <B>',
      start: '2023-05-01T00:00:00Z',
      end: '2023-05-02T00:00:00Z',
      params: {},
    };
    const bytes = await withProvenance(provenance as unknown as ExportProvenance, 'none');
    assert.match(
      zipText(bytes, firstSheet),
      /<headerFooter><oddHeader>&amp;CA &amp;&amp; &lt;B&gt; · 2023-05-01T00:00:00Z to 2023-05-02T00:00:00Z</,
    );
  });

  it('writes provenance on a separate sheet', async () => {
    const provenance = { connection: '=cmd', rows: 1, params: {} } as unknown as ExportProvenance;
    const rows = await readSheet(await withProvenance(provenance, 'comment'), 'Provenance');
    assert.deepEqual(rows, [
      ['connection', '=cmd'],
      ['rows', '1'],
    ]);
  });
});

async function withProvenance(
  provenance: ExportProvenance,
  provenanceOption: ExportOptions['provenance'],
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  const options = { ...standard, format: 'xlsx' as const, provenance: provenanceOption };
  for await (const chunk of exportChunks(
    createTableToWrite({ frame: recordsToFrame([{ a: 1 }]) }),
    options,
    provenance,
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Lists the cell styles, which cells refer to by index. */
function listCellStyles(styles: string): string {
  return /<cellXfs.*<\/cellXfs>/.exec(styles)?.[0] ?? '';
}

function matches(text: string, pattern: RegExp): string[][] {
  return Array.from(text.matchAll(pattern), ([, ...groups]) => groups);
}

function trimCell(cell: unknown): unknown {
  return typeof cell === 'string' ? toXmlText(cell) : (cell ?? null);
}
