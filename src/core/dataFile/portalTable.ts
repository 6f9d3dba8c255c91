import { cellState, type NumberColumn } from '../../shared/frame.ts';
import { powerExtreme, power } from '../../shared/units.ts';
import { GridError } from '../errors.ts';
import { PortalError } from '../portal/portalCells.ts';
import type { PortalColumn } from '../portal/portalColumns.ts';
import { readPortalFile } from '../portal/portalFile.ts';
import { sast } from '../time/zone.ts';
import type { ReadFile } from './fileTable.ts';

/** What the service calls a column of the portal: the same quantity in the same unit. */
const serviceNames: Readonly<Partial<Record<PortalColumn, string>>> = {
  'Residual Demand': 'residual_demand_mw',
  'Residual Forecast': 'residual_forecast_mw',
  'Thermal Generation': 'thermal_mw',
  'Nuclear Generation': 'nuclear_mw',
  'Eskom Gas Generation': 'eskom_gas_mw',
  'Eskom OCGT Generation': 'eskom_ocgt_mw',
  'Hydro Water Generation': 'hydro_water_mw',
  Wind: 'wind_mw',
  PV: 'pv_mw',
  'Total RE': 'total_re_mw',
  'International Imports': 'imports_mw',
  'International Exports': 'exports_mw',
};

/**
 * A file of the Eskom Data Portal as a table of hours, in the order of its rows. Columns that the service has too get its names, so that the
 * two can be compared; the others keep their own. Throws a GridError.
 */
export async function portalTable(bytes: Uint8Array, fileName: string): Promise<ReadFile> {
  try {
    const { instants, columns, notes } = await readPortalFile(bytes, fileName, []);
    const ts = { kind: 'time' as const, name: 'ts', path: ['ts'], values: Float64Array.from(instants) };
    const numbers = [...columns].map(([name, values]) => numberColumn(name, values));
    return {
      kind: 'table',
      table: {
        frame: { rowCount: instants.length, columns: [ts, ...numbers] },
        rowsOfFile: instants.length,
        leftOut: [],
        zone: { source: 'portal', timeZone: sast.timeZone },
        provenance: undefined,
        notes,
        text: JSON.stringify({ layout: 'Eskom Data Portal', columns: [...columns.keys()], notes }),
      },
    };
  } catch (error) {
    if (error instanceof PortalError) throw new GridError('fileDamaged', { detail: error.message });
    throw error;
  }
}

function numberColumn(portalName: PortalColumn, values: Float64Array): NumberColumn {
  const name = serviceNames[portalName] ?? portalName;
  const gaps = values.some(Number.isNaN) && Uint8Array.from(values, mw => Number(Number.isNaN(mw)) * cellState.null);
  const unit = /capacity/i.test(portalName) ? powerExtreme : power;
  const field = { label: portalName, meaning: '', ...(!/hours$/i.test(portalName) && { unit }) };
  return { kind: 'number', name, path: [name], values, field, ...(gaps && { gaps }) };
}
