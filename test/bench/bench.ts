/** A measured figure, with an optional bound. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A benchmark; each `*.bench.ts` file exports one as `bench`. */
export type Bench = () => Promise<readonly Figure[]>;
