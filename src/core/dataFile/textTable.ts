import { toSingleLine } from '../inertText.ts';
import { GridError } from '../errors.ts';
import { selectAemoTable } from './aemoRecords.ts';
import { decodeText } from './decodeText.ts';
import type { FileReadResult } from './fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { readDelimitedRecords } from './records.ts';
import { recordsToTable } from './recordsTable.ts';
import { findSeparator } from './separator.ts';

/**
 * Reads a delimited text or a workbook (.xlsx) as a table. A file whose `name` ends with .tsv is separated by tabs. Throws a GridError if the
 * file is of another kind.
 */
export async function readTextTable(bytes: Uint8Array, options: ImportOptions, name = ''): Promise<FileReadResult> {
  const startsWith = (...signature: readonly number[]): boolean =>
    signature.every((byte, index) => bytes[index] === byte);
  if (startsWith(0xd0, 0xcf, 0x11, 0xe0))
    throw new GridError('fileForeign', { detail: 'an old Excel workbook (save it as .xlsx or CSV)' });
  if (startsWith(0x50, 0x4b, 0x03, 0x04)) {
    // Most files are texts, so the workbook reader is loaded on demand.
    const { readWorkbook } = await import('./workbook.ts');
    const { records, sheets, sheet } = await readWorkbook(bytes, options.sheet);
    const notes = sheets.length > 1 ? [`The sheet '${sheet}' of ${sheets.length} sheets is shown.`] : [];
    return addImportFacts(recordsToTable({ ...records, notes }, options), { sheets, sheet });
  }
  const { text, encoding } = decodeText(bytes, options.encoding);
  checkText(text);
  const separatorFromName = /\.tsv$/i.test(name) ? '\t' : undefined;
  const records = readDelimitedRecords(text, options.separator || (separatorFromName ?? findSeparator(text)));
  return addImportFacts(recordsToTable(selectAemoTable(records) ?? records, options), { encoding });
}

function addImportFacts(
  read: FileReadResult,
  facts: { encoding?: string; sheet?: string; sheets?: readonly string[] },
): FileReadResult {
  if (read.kind !== 'table') return read;
  return { kind: 'table', table: { ...read.table, importedAs: { ...read.table.importedAs, ...facts } } };
}

/** Throws a GridError for common kinds of text that are saved by mistake instead of a table, such as a web page. */
export function checkText(text: string): void {
  const head = text.slice(0, 10_000);
  // A text file has no NUL characters.
  if (head.includes('\0')) throw new GridError('fileForeign');
  if (head.trim() === '') throw new GridError('fileDamaged', { detail: 'empty' });
  if (/^\s*<(?:!doctype html|html|head|body|table|div)\b/i.test(head)) {
    const title = /<title[^>]*>([^<]{1,200})/i.exec(head)?.[1];
    const quotedTitle = title === undefined ? '' : `: '${toSingleLine(title.trim())}'`;
    throw new GridError('fileForeign', { detail: `a web page${quotedTitle}` });
  }
  if (/^\s*<\?xml/.test(head)) throw new GridError('fileForeign', { detail: 'XML' });
  if (/^\s*(?:\{\s*"|\[\s*[{["])/.test(head) && /[}\]]\s*$/.test(text.slice(-1_000)))
    throw new GridError('fileForeign', { detail: 'JSON (its name must end with .json)' });
  if (head.startsWith('version https://git-lfs.github.com/spec/'))
    throw new GridError('fileForeign', { detail: 'a Git LFS pointer (run git lfs pull)' });
}
