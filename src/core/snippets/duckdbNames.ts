import { plainText, sqlName } from './quote.ts';

/** DuckDB treats names as equal that differ only in the case of ASCII letters. */
const folded = (name: string): string => plainText(name).replace(/[A-Z]+/g, letters => letters.toLowerCase());

/** Returns the name in DuckDB, with a number appended if it is already used, and adds it to the used names. */
function freeName(name: string, taken: Set<string>): string {
  const wanted = plainText(name) || 'column';
  let free = wanted;
  for (let count = 1; taken.has(folded(free)); count++) free = `${wanted}_${count}`;
  taken.add(folded(free));
  return free;
}

/** Column names in DuckDB, which are also those that it assigns to the columns of a file. */
export class DuckdbNames {
  readonly #taken = new Set<string>();
  /** The name of each column, in order. */
  readonly all: readonly string[];
  readonly #names: ReadonlyMap<string, string>;

  constructor(columns: readonly string[]) {
    this.all = columns.map(column => freeName(column, this.#taken));
    // If two columns share a name, the first one counts.
    this.#names = new Map(columns.map((column, at) => [column, this.all[at] ?? column] as const).reverse());
  }

  /** Returns a quoted name for something other than a column. */
  helper(name: string): string {
    return sqlName(freeName(name, this.#taken));
  }

  of(column: string): string {
    return this.#names.get(column) ?? column;
  }

  /** Returns the quoted name of a column. */
  readonly sql = (column: string): string => sqlName(this.of(column));

  /** The columns whose name in DuckDB differs. */
  get renamed(): (readonly [column: string, name: string])[] {
    return Array.from(this.#names)
      .reverse()
      .filter(([column, name]) => column !== name);
  }
}

/** Describes a renamed column for comments. */
export function renamedText([column, name]: readonly [string, string]): string {
  return `The column "${column}" is called "${name}" here, since DuckDB does not tell names apart by their case.`;
}
