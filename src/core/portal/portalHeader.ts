import { type PortalRow, exportAgain, type Refuse } from './portalCells.ts';
import { plainName, portalColumns, portalSums, type PortalColumn } from './portalColumns.ts';
import { timeLayouts } from './portalTime.ts';

/** A sum whose columns a file has, by their places. */
export interface PlacedSum {
  readonly name: PortalColumn;
  readonly sum: number;
  readonly parts: readonly number[];
  readonly isRough: boolean;
}

/** Where the columns of a file are; places count from 0. */
export interface PortalHeader {
  /** Without those at the end that have no name. */
  readonly width: number;
  /** As the file writes them, for sentences. */
  readonly names: readonly string[];
  readonly times: readonly number[];
  /** Each column of the portal that is there, once; its first place where it is given twice. */
  readonly columns: ReadonlyMap<PortalColumn, number>;
  readonly sums: readonly PlacedSum[];
  /** Columns of the portal that are there again, with their later place. */
  readonly repeated: readonly (readonly [name: PortalColumn, place: number])[];
}

/** Refuses a header without time, or without one of the columns that are `needed`. */
export function readHeader({ line, cells }: PortalRow, needed: readonly PortalColumn[], refuse: Refuse): PortalHeader {
  const written = cells.map(String);
  const names = written.map(plainName);
  const width = cells.findLastIndex(cell => cell !== '') + 1;
  const times = timeLayouts
    .map(layout => layout.map(name => names.indexOf(plainName(name))))
    .find(places => !places.includes(-1));
  if (!times)
    throw refuse(`, line ${line}`, ': there is no column "Date Time Hour Beginning", nor "Date_Time" with "Time_Hr"');
  const known = new Map(portalColumns.map(name => [plainName(name), name]));
  const columns = new Map<PortalColumn, number>();
  const repeated: [PortalColumn, number][] = [];
  for (const [place, plain] of names.entries()) {
    const name = known.get(plain);
    if (!name) continue;
    if (columns.has(name)) repeated.push([name, place]);
    else columns.set(name, place);
  }
  const missing = needed.filter(name => !columns.has(name)).map(name => `"${name}"`);
  if (missing.length > 0)
    throw refuse(`, line ${line}`, `: missing column ${missing.join(', ')}`, `${exportAgain} with all columns`);
  const sums = portalSums.flatMap(({ sum, parts, isRough = false }) => {
    const [place, ...places] = [sum, ...parts].map(name => columns.get(name));
    const whole = places.filter(part => part !== undefined);
    return place === undefined || whole.length < parts.length ? [] : [{ name: sum, sum: place, parts: whole, isRough }];
  });
  return { width, names: written, times, columns, sums, repeated };
}
