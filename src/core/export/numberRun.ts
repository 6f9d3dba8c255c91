import { cellState, type NumberColumn } from '../../shared/frame.ts';
import { numberText } from './numberText.ts';

/**
 * The cells of neighbouring number columns, one text a row, written by JSON.stringify: it spells numbers as String does, but
 * many at once in half the time. Cells without a value are empty.
 */
export function numberRun(
  columns: readonly NumberColumn[],
  separator: string,
  decimalComma: boolean,
): (places: readonly number[]) => string[] {
  const spell = (digits: string): string => (decimalComma ? digits.replace('.', ',') : digits);
  const oneByOne = (place: number): string => {
    const cells = columns.map(({ values, gaps }) => {
      return gaps && gaps[place] !== cellState.value ? '' : spell(numberText(values[place] ?? NaN));
    });
    return cells.join(separator);
  };
  const rows: number[][] = [];
  return places => {
    while (rows.length < places.length) rows.push(columns.map(() => 0.5));
    rows.length = places.length;
    const odd = fillRows(rows, columns, places);
    let json = JSON.stringify(rows);
    if (json.includes('null')) json = json.replaceAll('null', '');
    if (separator !== ',') json = json.replaceAll(',', separator);
    if (decimalComma) json = json.replaceAll('.', ',');
    const texts = json.slice(2, -2).split(`]${separator}[`);
    for (const at of odd) texts[at] = oneByOne(places[at] ?? -1);
    return texts;
  };
}

/** NaN stands for no value, since JSON has null for it. Returns the rows with a number that JSON cannot say: -0, NaN, ±Infinity. */
function fillRows(rows: number[][], columns: readonly NumberColumn[], places: readonly number[]): Set<number> {
  const odd = new Set<number>();
  for (const [index, { values, gaps }] of columns.entries()) {
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? -1;
      const value = gaps && gaps[place] !== cellState.value ? NaN : (values[place] ?? NaN);
      (rows[at] as number[])[index] = value;
      // Infinite or NaN; or a zero of either sign.
      if (value - value !== 0 || value === 0) noteOdd(odd, at, value, gaps?.[place]);
    }
  }
  return odd;
}

function noteOdd(odd: Set<number>, at: number, value: number, state: number | undefined): void {
  if (state !== undefined && state !== cellState.value) return;
  if (value !== 0 || Object.is(value, -0)) odd.add(at);
}
