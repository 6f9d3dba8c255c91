import { expectedValue, systemFrame } from '../view/page/frames.ts';

export const hourMs = 3_600_000;

/**
 * Creates a response body in the format of the service. Its intervals begin at `start` (UTC milliseconds). All columns but the first
 * are numbers, and one of them has nulls.
 */
export function createHoursBody(rows: number, start: number, { intervalMs = hourMs, columns = 17 } = {}): string {
  const names = systemFrame(1, columns).columns.map(({ name }) => name);
  const data = Array.from({ length: rows }, (_, row) => {
    const ts = new Date(start + row * intervalMs).toISOString().replace('.000', '');
    const cells = names.slice(1).map((name, index) => [name, createCell(row, index)] as const);
    return Object.fromEntries<string | number | null>([['ts', ts], ...cells]);
  });
  return JSON.stringify({ meta: { dataset: 'bench', count: rows }, data });
}

function createCell(row: number, index: number): number | null {
  return index === 5 && row % 97 === 3 ? null : expectedValue(row, index);
}
