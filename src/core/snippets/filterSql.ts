import type { ColumnKind } from '../../shared/frame.ts';
import type { FoundCells, CellSpan, ReadFilter } from '../filter/filterTypes.ts';
import { plainText, sqlInstant, sqlText } from './quote.ts';
import { containsSql } from './textSql.ts';

/** Casts that give a column the type of its kind, regardless of the type that a reader inferred. */
export const sqlCasts: Readonly<Record<ColumnKind, string>> = {
  number: '::DOUBLE',
  boolean: '::BOOLEAN::INT',
  time: '::TIMESTAMPTZ',
  text: '::VARCHAR',
  nested: '',
};

/** A quoted column of one kind in SQL. Texts are compared in `locale`. */
interface SqlColumn {
  readonly of: string;
  readonly kind: ColumnKind;
  readonly locale: string;
}

/**
 * Returns a filter as a DuckDB condition, which is not true for missing values unless it selects those. Undefined for filters within
 * JSON, and for texts that DuckDB compares differently.
 */
export function filterSql(filter: ReadFilter, { of, kind, locale }: SqlColumn): string | undefined {
  return conditionsSql(filter, { of: `${of}${sqlCasts[kind]}`, kind, locale });
}

function conditionsSql({ conditions, isEach }: ReadFilter, column: SqlColumn): string | undefined {
  const texts: string[] = [];
  for (const { cells, negated } of conditions) {
    const text = cellsSql(cells, column);
    if (text === undefined) return undefined;
    texts.push(negated ? `NOT (${text})` : text);
  }
  return texts.length === 1 ? texts[0] : texts.map(text => `(${text})`).join(isEach ? ' AND ' : ' OR ');
}

function cellsSql(cells: FoundCells, column: SqlColumn): string | undefined {
  const { of, kind, locale } = column;
  switch (cells.kind) {
    case 'missing':
      return `${of} IS NULL`;
    case 'spans':
      return cells.spans.map(span => spanSql(span, of, kind === 'time' ? sqlInstant : numberSql)).join(' OR ');
    case 'text':
      // SQL has neither lone surrogates nor NUL.
      if (kind === 'nested' || plainText(cells.text) !== cells.text) return undefined;
      return cells.isWhole
        ? `nfc_normalize(${of}) = ${sqlText(cells.text.normalize())}`
        : containsSql(of, cells.text, locale);
    case 'filter':
      return conditionsSql(cells, column);
    case 'calendar': {
      const local = `timezone(${sqlText(cells.timeZone)}, ${of})`;
      const values = {
        minute: `hour(${local}) * 60 + minute(${local})`,
        weekday: `isodow(${local})`,
        month: `month(${local})`,
      };
      const parts = cells.parts.map(part => {
        if (part.of === 'holiday') return `is_public_holiday(${of})`;
        if (part.of === 'period') return `tariff_period(${of}) = ${sqlText(part.period)}`;
        const [{ first, last }, value] = [part, values[part.of]];
        if (first <= last) return `${value} BETWEEN ${first} AND ${last}`;
        return `(${value} >= ${first} OR ${value} <= ${last})`;
      });
      return parts.join(' AND ');
    }
  }
}

function spanSql({ from, to, without }: CellSpan, of: string, write: (value: number) => string): string {
  if (from === to) return `${of} = ${write(from)}`;
  const ends = [
    ...(from === -Infinity ? [] : [`${of} ${without === 'from' ? '>' : '>='} ${write(from)}`]),
    ...(to === Infinity ? [] : [`${of} ${without === 'to' ? '<' : '<='} ${write(to)}`]),
  ];
  return ends.join(' AND ');
}

/** Formats a number as a double: SQL reads digits without an exponent as a decimal. */
function numberSql(value: number): string {
  const text = String(value);
  return Number.isInteger(value) || text.includes('e') ? text : `${text}e0`;
}
