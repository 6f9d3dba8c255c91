/** Which rows of an answer are shown: evenly over the range, the first and last, or none. */
export const rowChoices = ['sample', 'ends', 'none'] as const;
export type RowChoice = (typeof rowChoices)[number];

/** At most `most` of the rows 0 to below `rowCount`, ascending, each once; the first and the last are always among them. */
export function sampledRows(rowCount: number, most: number, choice: RowChoice): number[] {
  if (choice === 'none' || most < 1) return [];
  if (rowCount <= most) return [...Array(rowCount).keys()];
  if (most === 1) return [0];
  if (choice === 'sample') return [...Array(most).keys()].map(at => Math.round((at * (rowCount - 1)) / (most - 1)));
  const first = Math.ceil(most / 2);
  return [...Array(most).keys()].map(at => (at < first ? at : rowCount - most + at));
}
