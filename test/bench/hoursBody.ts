import { expectedValue, systemFrame } from '../view/page/frames.ts';

export const hourMs = 3_600_000;

/** An answer as the service gives it: hours (or other steps) from `start` (UTC milliseconds) and numbers, of which one has nulls. */
export function hoursBody(rows: number, start: number, { stepMs = hourMs, columns = 17 } = {}): string {
  const names = systemFrame(1, columns).columns.map(({ name }) => name);
  const data = Array.from({ length: rows }, (_, row) => {
    const ts = new Date(start + row * stepMs).toISOString().replace('.000', '');
    const cells = names.slice(1).map((name, index) => [name, cellOf(row, index)] as const);
    return Object.fromEntries<string | number | null>([['ts', ts], ...cells]);
  });
  return JSON.stringify({ meta: { dataset: 'bench', count: rows }, data });
}

function cellOf(row: number, index: number): number | null {
  return index === 5 && row % 97 === 3 ? null : expectedValue(row, index);
}
