import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import type { ExportProvenance } from '../../../../src/shared/exportOptions.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { exportChunks } from '../../../../src/service/export/exporter.ts';
import { isNumberText } from '../../../../src/core/export/numberText.ts';
import type { Column } from '../../../../src/shared/frame.ts';
import { anyTable, exported, placesOf, sast, standard, valueAt } from './anyFrame.ts';

const sastMs = 2 * 3_600_000;

/** What a sheet can say of a cell. */
function inSheet(column: Column, row: number): unknown {
  const value = valueAt(column, row) ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value);
  if (value instanceof Date) return value.getTime() + sastMs;
  if (typeof value !== 'string' || isNumberText(value)) return value;
  return plain(value);
}

/** As XML keeps a text: without what it cannot hold, one kind of line end; and as this reader trims it. */
function plain(text: string): string | null {
  // eslint-disable-next-line no-control-regex
  const kept = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffd-\uffff]/g, '');
  const written = kept.replace(/\p{Noncharacter_Code_Point}/gu, '');
  return written.replace(/\r\n?/g, '\n').trim() || null;
}

describe('Excel', () => {
  it('reads back equal through another reader, dates in the zone', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async table => {
        const bytes = await exported(table, { format: 'xlsx', zone: sast });
        const [heading, ...rows] = (await readSheet(bytes)) as unknown[][];
        const { columns } = table.frame;
        const names = columns.map(({ kind, name }) => plain(kind === 'time' ? `${name} (SAST)` : name));
        const trimmed = (cells: readonly unknown[] = []): unknown[] =>
          columns.map((_, index) => trimmedCell(cells[index]));
        assert.deepEqual(trimmed(heading), names);
        for (const [at, place] of placesOf(table).entries())
          for (const [index, cell] of trimmed(rows[at]).entries()) {
            const wanted = columns[index] && inSheet(columns[index], place);
            assert.deepEqual(cell instanceof Date ? cell.getTime() : cell, wanted);
          }
      }),
      { numRuns: 30 },
    );
  });

  it('has every hour of years where it is, not in the one before', async () => {
    const first = Date.UTC(2023, 11, 31, 20);
    const hours = Array.from({ length: 9_000 }, (_, hour) => first + hour * 3_600_000);
    const frame = frameOf(hours.map(ms => ({ ts: new Date(ms).toISOString() })));
    const [, ...rows] = await readSheet(await exported({ frame }, { format: 'xlsx', zone: sast }));
    assert.deepEqual(
      rows.map(([cell]) => (cell instanceof Date ? cell.getTime() - sastMs : cell)),
      hours,
    );
  });

  it('says whence the rows came on a sheet of its own', async () => {
    const provenance = { connection: '=cmd', rows: 1, params: {} } as unknown as ExportProvenance;
    const chunks: Uint8Array[] = [];
    const options = { ...standard, format: 'xlsx' as const, provenance: 'comment' as const };
    for await (const chunk of exportChunks({ frame: frameOf([{ a: 1 }]) }, options, provenance)) chunks.push(chunk);
    const rows = await readSheet(Buffer.concat(chunks), 'Provenance');
    assert.deepEqual(rows, [
      ['connection', '=cmd'],
      ['rows', '1'],
    ]);
  });
});

function trimmedCell(cell: unknown): unknown {
  return typeof cell === 'string' ? plain(cell) : (cell ?? null);
}
