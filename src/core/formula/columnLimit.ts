import { stressField } from '../../shared/fields.ts';
import { stressBandIds, stressLimits, type StressBand } from '../../shared/stressBands.ts';
import { nameInFormula } from './parseFormula.ts';

/** A comparison of one column with a number, in the column's own unit. */
export interface ColumnLimit {
  readonly column: string;
  readonly sign: '>' | '<' | '>=';
  readonly value: number;
}

export function limitText({ column, sign, value }: ColumnLimit): string {
  return `${nameInFormula(column)} ${sign} ${value}`;
}

/** The comparison that a condition is, as `limitText` writes it; undefined for any other. */
export function parseLimit(condition: string): ColumnLimit | undefined {
  const [, quoted, word, sign, number] =
    /^(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_.]*)) (>=|>|<) (-?\d[\d.]*(?:e[+-]?\d+)?)$/iu.exec(condition) ?? [];
  const column = word ?? quoted?.replaceAll('""', '"');
  const limit = { column: column ?? '', sign: sign as ColumnLimit['sign'], value: Number(number) };
  return column !== undefined && limitText(limit) === condition ? limit : undefined;
}

/** The band that the stress index reaches with this limit; `stress`: the index's column. */
export function bandOf({ column, sign, value }: ColumnLimit, stress = stressField): StressBand | undefined {
  return column === stress && sign === '>=' ? stressBandIds.find(band => stressLimits[band] === value) : undefined;
}
