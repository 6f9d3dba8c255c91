import { removeInvalidCharacters, quoteSqlName } from './quote.ts';

/** DuckDB treats names as equal that differ only in the case of ASCII letters. */
const foldCase = (name: string): string =>
  removeInvalidCharacters(name).replace(/[A-Z]+/g, letters => letters.toLowerCase());

/** Returns the name in DuckDB, with a number appended if it is already used, and adds it to the used names. */
function createUniqueName(name: string, used: Set<string>): string {
  const preferred = removeInvalidCharacters(name) || 'column';
  let unused = preferred;
  for (let count = 1; used.has(foldCase(unused)); count++) unused = `${preferred}_${count}`;
  used.add(foldCase(unused));
  return unused;
}

/** Column names in DuckDB. DuckDB assigns the same names to the columns of a file. */
export class DuckdbNames {
  readonly #usedNames = new Set<string>();
  /** The name of each column, in order. */
  readonly allNames: readonly string[];
  readonly #names: ReadonlyMap<string, string>;

  constructor(columns: readonly string[]) {
    this.allNames = columns.map(column => createUniqueName(column, this.#usedNames));
    // If two columns share a name, the first one counts.
    this.#names = new Map(columns.map((column, index) => [column, this.allNames[index] ?? column] as const).reverse());
  }

  /** Returns a quoted name for something other than a column. */
  createHelperName(name: string): string {
    return quoteSqlName(createUniqueName(name, this.#usedNames));
  }

  getName(column: string): string {
    return this.#names.get(column) ?? column;
  }

  /** Returns the quoted name of a column. */
  readonly quote = (column: string): string => quoteSqlName(this.getName(column));

  /** The columns whose name in DuckDB differs. */
  get renamed(): (readonly [column: string, name: string])[] {
    return Array.from(this.#names)
      .reverse()
      .filter(([column, name]) => column !== name);
  }
}

/** Describes a renamed column for comments. */
export function describeRenamedColumn([column, name]: readonly [string, string]): string {
  return `The column "${column}" is called "${name}" here, since DuckDB does not tell names apart by their case.`;
}
