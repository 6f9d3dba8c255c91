import type { NumberColumn } from '../../shared/frame.ts';

/**
 * The columns of a comparison that belong with a column: this period's, the other's and their difference, by name; the column alone
 * where it is none of them.
 */
export function comparedGroup(
  name: string,
  columns: readonly NumberColumn[],
  compared: readonly (readonly [string, string])[],
): readonly string[] {
  const groups = compared.map(([own, other]) => {
    const difference = columns[columns.findIndex(column => column.name === other) + 1];
    return [own, other, ...(difference ? [difference.name] : [])];
  });
  return groups.find(group => group.includes(name)) ?? [name];
}
