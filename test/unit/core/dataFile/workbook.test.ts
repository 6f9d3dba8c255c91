import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import { portalColumns } from '../../../../src/core/portal/portalColumns.ts';
import { PortalError, readPortalFile } from '../../../../src/core/portal/portalFile.ts';
import { createWorkbook, createWorkbookFromXml } from '../../../support/workbook.ts';

const first = Date.UTC(2022, 5, 22, 22);
const numbers = portalColumns.map((_, index) => index * 100 + 0.125);
const readWorkbook = (bytes: Uint8Array) => readPortalFile(bytes, 'a.xlsx', ['Wind']);
async function readRefusal(bytes: Uint8Array): Promise<string> {
  const outcome: unknown = await readWorkbook(bytes).catch((error: unknown) => error);
  assert.ok(outcome instanceof PortalError, String(outcome));
  return outcome.message;
}

describe('readPortalFile with an Excel workbook', () => {
  it('reads dates as Excel dates and as texts, in both layouts', async () => {
    const oneColumnHeading = ['Date Time Hour Beginning', ...portalColumns];
    const twoColumnHeading = ['Date_Time', 'Time_Hr', ...portalColumns];
    const sast = new Date(Date.UTC(2022, 5, 23, 14));
    const day = new Date(Date.UTC(2022, 5, 23));
    for (const [head, ...time] of [
      [oneColumnHeading, sast],
      [oneColumnHeading, '2022-06-23 14:00:00'],
      [oneColumnHeading, '23/06/2022 02:00:00 PM'],
      [twoColumnHeading, day, new Date(Date.UTC(1899, 11, 30, 14))],
      [twoColumnHeading, day, '14:00:00'],
      [twoColumnHeading, '2022-06-23', '14:00'],
      [twoColumnHeading, '2022-06-23', 14],
    ] as const) {
      const { instants, columns } = await readWorkbook(createWorkbook([head, [...time, ...numbers]]));
      assert.deepEqual(instants, [Date.UTC(2022, 5, 23, 12)], time.join());
      assert.deepEqual(
        portalColumns.map(name => columns.get(name)?.[0]),
        numbers,
      );
    }
  });

  it('reads a sheet with titles above its header, and reports how many', async () => {
    const rows = [['Hours of June'], [null], ['Date Time Hour Beginning', 'Wind'], ['2022-06-23 00:00', 5]];
    const { columns, notes } = await readWorkbook(createWorkbook(rows));
    assert.deepEqual([...(columns.get('Wind') ?? [])], [5]);
    assert.deepEqual(notes, ['a.xlsx: 1 line above the table is left out.']);
  });

  it('reads each hour of a day as itself', async () => {
    const rows = Array.from({ length: 24 }, (_, hour) => [new Date(Date.UTC(2022, 5, 23, hour)), hour]);
    const { instants } = await readWorkbook(createWorkbook([['Date Time Hour Beginning', 'Wind'], ...rows]));
    assert.deepEqual(
      instants,
      rows.map((_, hour) => first + hour * 3_600_000),
    );
  });

  it('reads numbers as they are, parses only texts, and leaves gaps', async () => {
    const text = createWorkbook([
      ['Date Time Hour Beginning', 'Wind', 'PV'],
      ['2022-06-23 00:00', 15.56, '1 234,5'],
      ['2022-06-23 01:00', null, '1,234'],
      ['2022-06-23 02:00', 'NULL', '-'],
    ]);
    const { columns } = await readWorkbook(text);
    assert.deepEqual([...(columns.get('Wind') ?? [])], [15.56, Number.NaN, Number.NaN]);
    assert.deepEqual([...(columns.get('PV') ?? [])], [1234.5, 1.234, Number.NaN]);
  });

  it('reports line, column and text of an invalid number', async () => {
    const bytes = createWorkbook([
      ['Date_Time', 'Time_Hr', 'Wind'],
      ['2022-06-23', '00:00', 1],
      ['2022-06-23', '01:00', 'much'],
    ]);
    assert.match(await readRefusal(bytes), /^a\.xlsx: 'Wind' is text because of 'much' in line 3; /);
  });

  describe('with hostile content', () => {
    const createSheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    /** Returns the archive with another declared size of its last part, unpacked or packed. */
    const declareSize = (zip: Uint8Array, size: number, kind: 'unpacked' | 'packed' = 'unpacked') => {
      const entry = Buffer.from(zip.buffer).lastIndexOf('PK\u0001\u0002', undefined, 'latin1');
      new DataView(zip.buffer).setUint32(entry + (kind === 'packed' ? 20 : 24), size, true);
      return zip;
    };

    it('reads a workbook with harmless oddities', async () => {
      const cells =
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Date Time Hour Beginning</t></is></c><c r="B1" t="inlineStr"><is><t>Wind</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>2022-06-23 00:00</t></is></c><c r="B2"><v>7</v></c></row>';
      const { columns } = await readWorkbook(createWorkbookFromXml(strToU8(createSheet(cells))));
      assert.deepEqual([...(columns.get('Wind') ?? [])], [7]);
    });

    for (const [description, make, message] of [
      [
        'a zip bomb',
        () => declareSize(createWorkbookFromXml(strToU8(createSheet(''))), 4_000_000_000),
        /^a\.xlsx: a workbook of more than 200 MB; /,
      ],
      [
        'a part whose compressed size exceeds the file',
        () => declareSize(createWorkbookFromXml(strToU8(createSheet(''))), 4_000_000_000, 'packed'),
        /^a\.xlsx: a workbook of more than 200 MB; /,
      ],
      [
        'a thousand parts',
        () => zipSync(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`${index}.xml`, strToU8('x')]))),
        /^a\.xlsx: a workbook of more than 200 MB; /,
      ],
      [
        'a zip bomb that declares a small size',
        () => declareSize(createWorkbookFromXml(strToU8(createSheet('<a/>'.repeat(1_000_000)))), 1_000),
        /an unreadable workbook|empty/,
      ],
      [
        'a cell in the last column',
        () => createWorkbookFromXml(strToU8(createSheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'))),
        /too many columns/,
      ],
      [
        'a cell in the last row',
        () => createWorkbookFromXml(strToU8(createSheet('<row r="1048576"><c r="AA1048576"><v>1</v></c></row>'))),
        /more than 10 million cells/,
      ],
      [
        'a place that is hidden',
        () => createWorkbookFromXml(strToU8(createSheet('<row r="1"><c r="XF&#68;1"><v>1</v></c></row>'))),
        /an unreadable workbook/,
      ],
      [
        'a truncated workbook',
        () => createWorkbookFromXml(strToU8(createSheet(''))).subarray(0, 200),
        /an unreadable workbook/,
      ],
      ['an empty archive', () => zipSync({ a: strToU8('x') }), /an unreadable workbook/],
      [
        'deeply nested tags',
        () => createWorkbookFromXml(strToU8(createSheet('<a>'.repeat(300_000)))),
        /an unreadable workbook|empty/,
      ],
      ['an empty sheet', () => createWorkbookFromXml(strToU8(createSheet(''))), /empty/],
    ] as const)
      it(`rejects a hostile workbook in one sentence: ${description}`, async () => {
        assert.match(await readRefusal(make()), message);
      });
  });
});
