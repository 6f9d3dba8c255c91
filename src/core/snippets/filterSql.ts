import type { ColumnKind } from '../../shared/frame.ts';
import type { MatchedCells, CellSpan, FilterConditions } from '../filter/filterTypes.ts';
import { removeInvalidCharacters, formatSqlInstant, quoteForSql } from './quote.ts';
import { formatContains } from './textSql.ts';

/** Casts that give a column the type of its kind, regardless of the type that a reader inferred. */
export const sqlCasts: Readonly<Record<ColumnKind, string>> = {
  number: '::DOUBLE',
  boolean: '::BOOLEAN::INT',
  time: '::TIMESTAMPTZ',
  text: '::VARCHAR',
  nested: '',
};

/** A quoted column of one kind in SQL. Texts are compared in `locale`. */
interface QuotedColumn {
  readonly expression: string;
  readonly kind: ColumnKind;
  readonly locale: string;
}

/**
 * Returns a filter as a DuckDB condition, which is not true for missing values unless it selects them. Undefined for filters within
 * JSON, and for texts that DuckDB compares differently.
 */
export function formatFilter(filter: FilterConditions, { expression, kind, locale }: QuotedColumn): string | undefined {
  return formatConditions(filter, { expression: `${expression}${sqlCasts[kind]}`, kind, locale });
}

function formatConditions({ conditions, mustMatchAll }: FilterConditions, column: QuotedColumn): string | undefined {
  const texts: string[] = [];
  for (const { cells, negated } of conditions) {
    const text = formatCells(cells, column);
    if (text === undefined) return undefined;
    texts.push(negated ? `NOT (${text})` : text);
  }
  return texts.length === 1 ? texts[0] : texts.map(text => `(${text})`).join(mustMatchAll ? ' AND ' : ' OR ');
}

function formatCells(cells: MatchedCells, column: QuotedColumn): string | undefined {
  const { expression, kind, locale } = column;
  switch (cells.kind) {
    case 'missing':
      return `${expression} IS NULL`;
    case 'spans':
      return cells.spans
        .map(span => formatSpan(span, expression, kind === 'time' ? formatSqlInstant : formatNumber))
        .join(' OR ');
    case 'text':
      // SQL has neither lone surrogates nor NUL.
      if (kind === 'nested' || removeInvalidCharacters(cells.text) !== cells.text) return undefined;
      return cells.isWhole
        ? `nfc_normalize(${expression}) = ${quoteForSql(cells.text.normalize())}`
        : formatContains(expression, cells.text, locale);
    case 'filter':
      return formatConditions(cells, column);
    case 'calendar': {
      const local = `timezone(${quoteForSql(cells.timeZone)}, ${expression})`;
      const values = {
        minute: `hour(${local}) * 60 + minute(${local})`,
        weekday: `isodow(${local})`,
        month: `month(${local})`,
      };
      const parts = cells.parts.map(part => {
        if (part.kind === 'holiday') return `is_public_holiday(${expression})`;
        if (part.kind === 'period') return `tariff_period(${expression}) = ${quoteForSql(part.period)}`;
        const { first, last } = part;
        const value = values[part.kind];
        if (first <= last) return `${value} BETWEEN ${first} AND ${last}`;
        return `(${value} >= ${first} OR ${value} <= ${last})`;
      });
      return parts.join(' AND ');
    }
  }
}

function formatSpan(
  { from, to, excluded }: CellSpan,
  expression: string,
  formatValue: (value: number) => string,
): string {
  if (from === to) return `${expression} = ${formatValue(from)}`;
  const bounds = [
    ...(from === -Infinity ? [] : [`${expression} ${excluded === 'from' ? '>' : '>='} ${formatValue(from)}`]),
    ...(to === Infinity ? [] : [`${expression} ${excluded === 'to' ? '<' : '<='} ${formatValue(to)}`]),
  ];
  return bounds.join(' AND ');
}

/** Formats a number as a double: SQL reads digits without an exponent as a decimal. */
function formatNumber(value: number): string {
  const text = String(value);
  return Number.isInteger(value) || text.includes('e') ? text : `${text}e0`;
}
