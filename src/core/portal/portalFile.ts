import { cellState, type NumberColumn } from '../../shared/frame.ts';
import { hourMs } from '../../shared/durations.ts';
import { readTextTable } from '../dataFile/textTable.ts';
import { GridError } from '../errors.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { toSingleLine } from '../inertText.ts';
import { formatInstant } from '../time/instant.ts';
import { sast } from '../time/zone.ts';
import { findPortalColumn, type PortalColumn } from './portalColumns.ts';

/** The contents of a file from the Eskom Data Portal, with its rows in file order. An hour may occur twice. */
export interface PortalFile {
  /** The beginning of each row's hour, in UTC milliseconds. */
  readonly instants: readonly number[];
  /** The values by the portal's column names; NaN for a gap. */
  readonly columns: ReadonlyMap<string, Float64Array>;
  /** Notes about how the file was read, one sentence each. */
  readonly notes: readonly string[];
}

export const exportAgain = 'export the hours again from the Eskom Data Portal';

/** Thrown if a portal file cannot be read. The message is a sentence for the user that suggests a remedy, and is safe for a terminal. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
}

/**
 * Reads a CSV file or an Excel workbook (.xlsx) as exported from the portal, or as saved by a spreadsheet. `fileName` is only for messages;
 * the file must have the columns in `requiredColumns`. Throws a PortalError.
 */
export async function readPortalFile(
  bytes: Uint8Array,
  fileName: string,
  requiredColumns: readonly PortalColumn[],
): Promise<PortalFile> {
  const createError = (reason: string, remedy = `${exportAgain}.`): PortalError =>
    new PortalError(`${fileName}: ${toSingleLine(reason)}${reason.endsWith('.') ? '' : `; ${remedy}`}`);
  const parsed = await readTextTable(bytes, { timeZone: sast.timeZone }).catch((error: unknown) => {
    if (!(error instanceof GridError)) throw error;
    throw createError(error.facts.detail ?? error.reason);
  });
  if (parsed.kind === 'needsDateOrder')
    throw createError(`'${parsed.example}' may have the day or the month first, and no other date resolves this`);
  const { frame, notes = [] } = parsed.kind === 'table' ? parsed.table : {};
  const numbers = frame?.columns.filter(column => column.kind === 'number') ?? [];
  const columns = new Map<string, Float64Array>();
  // If a column occurs twice, the first one wins.
  for (const column of numbers.toReversed()) columns.set(getPortalName(column), gapsToNaN(column));
  const missing = requiredColumns.filter(name => !columns.has(name));
  if (missing.length > 0) {
    const [first = ''] = missing;
    const names = [first, findPortalColumn(first)?.name].map(name => `'${name}' is text`);
    const explanation = notes.find(note => names.some(name => note.startsWith(name)));
    throw createError(
      explanation?.replace(/\.$/, '') ?? `missing column "${missing.join('", "')}"`,
      `${exportAgain} with all columns.`,
    );
  }
  const time = frame && findTimeColumn(frame);
  if (!time) throw createError(notes.find(note => note.includes('is text')) ?? 'there is no time that can be read');
  if (time.values.length === 0) throw createError('there are no hours');
  const invalidTime = time.values.find(ms => ms % hourMs !== 0);
  if (invalidTime !== undefined)
    throw createError(
      Number.isNaN(invalidTime) ? 'a row has no time' : `${formatInstant(invalidTime)} is not the beginning of an hour`,
    );
  return { instants: [...time.values], columns, notes: notes.map(note => `${fileName}: ${note}`) };
}

/** The portal's name of a column, without the number that distinguishes columns of the same name. */
function getPortalName({ name, field }: NumberColumn): string {
  return field?.label ?? name;
}

function gapsToNaN({ values, gaps }: NumberColumn): Float64Array {
  return values.map((value, row) => ((gaps?.[row] ?? cellState.value) === cellState.value ? value + 0 : NaN));
}
