/** A column as the picker tells of it. */
export interface ColumnChoice {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly meaning?: string;
}

/** Names of the columns in which every typed word stands: in label, name, unit or meaning. */
export function matchingChoices(choices: readonly ColumnChoice[], typed: string): ReadonlySet<string> {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, label, unit, meaning = '' }: ColumnChoice) => {
    const text = [label, name, unit, meaning].join('\n').toLowerCase();
    return words.every(word => text.includes(word));
  };
  return new Set(choices.filter(matches).map(({ name }) => name));
}
