import assert from 'node:assert/strict';
import type { PortalColumn } from '../../../../src/core/portal/portalColumns.ts';
import { PortalError, readPortalFile } from '../../../../src/core/portal/portalFile.ts';

// The numbers are invented, but add up like those of the real export.
export const names: readonly PortalColumn[] = [
  'Residual Forecast',
  'Dispatchable Generation',
  'Residual Demand',
  'International Exports',
  'International Imports',
  'Thermal Generation',
  'Nuclear Generation',
  'Eskom Gas Generation',
  'Eskom OCGT Generation',
  'Hydro Water Generation',
  'Pumped Water Generation',
  'ILS Usage',
  'Manual Load_Reduction(MLR)',
  'IOS Excl ILS and MLR',
  'Dispatchable IPP OCGT',
  'Eskom Gas SCO',
  'Eskom OCGT SCO',
  'Hydro Water SCO',
  'Pumped Water SCO Pumping',
  'Wind',
  'PV',
  'CSP',
  'Other RE',
  'Total RE',
];
export const values =
  '21627.104 22146.101 22646.101 1246.934 1468 21862.3 908 0 100.5 0 0 0 500 0 0 -1 -5.699 0 -2186 820.513 0 0 16.991 837.504'.split(
    ' ',
  );
export const oneColumn = ['Date Time Hour Beginning', ...names].join(',');
export const twoColumns = ['Date_Time', 'Time_Hr', ...names].join(',');
export const formatRow = (time: string, cells: readonly string[] = values) => [time, ...cells].join(',');
export const joinLines = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;
export const startInstant = Date.UTC(2022, 5, 22, 22);
export const hourMs = 3_600_000;

export const needed = names.filter(name => !['CSP', 'Other RE', 'Dispatchable Generation'].includes(name));

export function read(text: string | Uint8Array) {
  return readPortalFile(typeof text === 'string' ? new TextEncoder().encode(text) : text, 'a.csv', needed);
}

/** Reads the numbers of a column. */
export async function readColumn(text: string | Uint8Array, name: PortalColumn): Promise<number[]> {
  return [...((await read(text)).columns.get(name) ?? [])];
}

/** Returns the reason for which a file is rejected, and asserts that a terminal displays the sentence unchanged. */
export async function readErrorMessage(text: string | Uint8Array): Promise<string> {
  try {
    await read(text);
  } catch (error) {
    assert.ok(error instanceof PortalError, String(error));
    assert.doesNotMatch(error.message, /\p{C}/u);
    assert.ok(error.message.length < 1_000);
    return error.message;
  }
  return assert.fail('it was read');
}
