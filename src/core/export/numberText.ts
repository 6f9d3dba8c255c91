/** The shortest text that reads back as the same double, with the sign of -0. `NaN`, `Infinity` and `-Infinity` are themselves. */
export function numberText(value: number): string {
  return value === 0 && Object.is(value, -0) ? '-0' : String(value);
}

/** Whether the JSON text of a cell is a number: one that no double holds is kept as its digits. */
export function isNumberText(text: string): boolean {
  return /^-?\d[\d.]*(?:[eE][+-]?\d+)?$/.test(text);
}
