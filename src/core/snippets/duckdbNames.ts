import { plainText, sqlName } from './quote.ts';

/** DuckDB takes two names for one that differ in the case of ASCII letters alone. */
const folded = (name: string): string => plainText(name).replace(/[A-Z]+/g, letters => letters.toLowerCase());

/** The name in DuckDB, with a number after it where it is `taken`, to which it is added. */
function freeName(name: string, taken: Set<string>): string {
  const wanted = plainText(name) || 'column';
  let free = wanted;
  for (let count = 1; taken.has(folded(free)); count++) free = `${wanted}_${count}`;
  taken.add(folded(free));
  return free;
}

/** Columns by the names that they have in DuckDB: those that it gives the columns of a file, too. */
export class DuckdbNames {
  readonly #taken = new Set<string>();
  /** The name of each column, in their order. */
  readonly all: readonly string[];
  readonly #names: ReadonlyMap<string, string>;

  constructor(columns: readonly string[]) {
    this.all = columns.map(column => freeName(column, this.#taken));
    // Of two columns of one name, the first counts.
    this.#names = new Map(columns.map((column, at) => [column, this.all[at] ?? column] as const).reverse());
  }

  /** The name of something that is no column, quoted. */
  helper(name: string): string {
    return sqlName(freeName(name, this.#taken));
  }

  of(column: string): string {
    return this.#names.get(column) ?? column;
  }

  /** Quoted. */
  readonly sql = (column: string): string => sqlName(this.of(column));

  /** The columns that have another name than their own. */
  get renamed(): (readonly [column: string, name: string])[] {
    return Array.from(this.#names)
      .reverse()
      .filter(([column, name]) => column !== name);
  }
}

/** For comments. */
export function renamedText([column, name]: readonly [string, string]): string {
  return `The column "${column}" is called "${name}" here, since DuckDB does not tell names apart by their case.`;
}
