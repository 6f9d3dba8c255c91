/** One measured figure. With a bound it can fall short. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Each `*.bench.ts` exports one as `bench`. */
export type Bench = () => Promise<readonly Figure[]>;
