import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { FileTable } from '../../../../../src/core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../../../../src/shared/importOptions.ts';
import { GridError } from '../../../../../src/core/errors.ts';
import { findTimeColumn } from '../../../../../src/core/frame/clip.ts';
import { createBytesSource } from '../../../../../src/service/dataFile/byteSource.ts';
import { readDataFile } from '../../../../../src/service/dataFile/readDataFile.ts';
import type { Column, Frame } from '../../../../../src/shared/frame.ts';
import { valueAt } from '../../export/anyFrame.ts';
import type { Cell, RealWorldFile } from './realWorldFile.ts';

/** Reads a file and checks all expectations. */
export async function checkFile(file: RealWorldFile): Promise<void> {
  const source = createBytesSource(Buffer.from(file.content));
  const request = { name: file.name ?? 'data.csv', options: file.options ?? {}, sidecar: undefined };
  const reading = readDataFile(source, request, () => undefined);
  if (file.refusal) {
    const { refusal } = file;
    await assert.rejects(reading, error => {
      assert.ok(error instanceof GridError, String(error));
      assert.match(`${error.reason} ${error.facts.detail ?? ''}`, refusal);
      return true;
    });
    return;
  }
  const result = await reading.catch((error: unknown) => {
    throw error instanceof GridError ? new Error(`rejected: ${error.reason} ${error.facts.detail ?? ''}`) : error;
  });
  const kind = file.needsZone ? 'needsZone' : file.needsDateOrder ? 'needsDateOrder' : 'table';
  assert.equal(result.kind, kind);
  if (result.kind === 'table') checkTable(result.table, file);
  else assert.match(result.example, file.needsZone ?? file.needsDateOrder ?? /./);
}

function checkTable(table: FileTable, file: RealWorldFile): void {
  const frame = table.frame ?? assert.fail('no table');
  const time = file.times && (findTimeColumn(frame) ?? assert.fail(`no time column among ${describeColumns(frame)}`));
  if (time) checkCells('times', readCells(time, frame), file.times ?? []);
  const expected = Object.entries(file.columns ?? {});
  for (const [name, cells] of expected) {
    const column = frame.columns.find(known => known.name === name);
    assert.ok(column, `no column '${name}' among ${describeColumns(frame)}`);
    checkCells(`'${name}'`, readCells(column, frame), cells);
  }
  const { sources = [], optional = [] } = file;
  const known = new Set([...expected.map(([name]) => name), ...sources, ...optional, ...(time ? [time.name] : [])]);
  const unexpected = frame.columns.map(({ name }) => name).filter(name => !known.has(name));
  assert.deepEqual(unexpected, [], 'unexpected columns');
  for (const name of sources) {
    const isInTable = frame.columns.some(column => column.name === name);
    const isNamed = isInTable || table.omitted.includes(name) || table.notes.some(note => note.includes(`'${name}'`));
    assert.ok(isNamed, `'${name}' is omitted without a note`);
  }
  for (const [name, unit] of Object.entries(file.units ?? {}))
    assert.equal(frame.columns.find(column => column.name === name)?.field?.unit?.text, unit, `the unit of '${name}'`);
  for (const [option, value] of Object.entries(file.importedAs ?? {}))
    assert.equal(table.importedAs?.[option as keyof ImportOptions], value, `the import option ${option}`);
  if (file.timeZone !== undefined) assert.equal(table.zone?.timeZone, file.timeZone);
  const isOffered = 'offersHourEnd' in table || table.notes.some(note => /End of the Hour/i.test(note));
  if (file.offersHourEnd) assert.ok(isOffered, 'ends of hours must be offered');
  for (const note of file.notes ?? [])
    assert.ok(
      table.notes.some(text => note.test(text)),
      `no note matches ${String(note)}: ${table.notes.join(' | ')}`,
    );
  if (file.hasNotes === false) assert.deepEqual(table.notes, []);
  assert.equal(new Set(table.notes).size, table.notes.length, 'a note is repeated');
}

/** Compares cells, and reports the first row that differs. */
function checkCells(name: string, cells: readonly Cell[], expected: readonly Cell[]): void {
  const row = expected.findIndex((cell, index) => !isDeepStrictEqual(cell, cells[index]));
  if (row !== -1) assert.fail(`${name}: row ${row + 1} is ${inspect(cells[row])}, not ${inspect(expected[row])}`);
  assert.equal(cells.length, expected.length, `the rows of ${name}`);
}

function describeColumns({ columns }: Frame): string {
  return columns.map(({ name, kind }) => `'${name}' (${kind})`).join(', ');
}

function readCells(column: Column, { rowCount }: Frame): Cell[] {
  return Array.from({ length: rowCount }, (_, row) => {
    const value = valueAt(column, row) as Cell | undefined;
    // The reader may show "NaN" or no value.
    return value === undefined || (typeof value === 'number' && Number.isNaN(value)) ? null : value;
  });
}
