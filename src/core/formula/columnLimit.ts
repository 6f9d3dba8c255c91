import { stressField } from '../../shared/fields.ts';
import { stressBandIds, stressLimits, type StressBand } from '../../shared/stressBands.ts';
import { quoteColumnName } from './parseFormula.ts';

/** A comparison of one column with a number, in the column's own unit. */
export interface ColumnLimit {
  readonly column: string;
  readonly sign: '>' | '<' | '>=';
  readonly value: number;
}

export function formatLimit({ column, sign, value }: ColumnLimit): string {
  return `${quoteColumnName(column)} ${sign} ${value}`;
}

/** Parses a condition that `formatLimit` wrote; undefined for any other condition. */
export function parseLimit(condition: string): ColumnLimit | undefined {
  const [, quoted, word, sign, number] =
    /^(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_.]*)) (>=|>|<) (-?\d[\d.]*(?:e[+-]?\d+)?)$/iu.exec(condition) ?? [];
  const column = word ?? quoted?.replaceAll('""', '"');
  const limit = { column: column ?? '', sign: sign as ColumnLimit['sign'], value: Number(number) };
  return column !== undefined && formatLimit(limit) === condition ? limit : undefined;
}

/** Returns the band that the stress index reaches at this limit. `stress`: the name of the index's column. */
export function findStressBand({ column, sign, value }: ColumnLimit, stress = stressField): StressBand | undefined {
  return column === stress && sign === '>=' ? stressBandIds.find(band => stressLimits[band] === value) : undefined;
}
