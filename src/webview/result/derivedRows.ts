import {
  derivationOf,
  deriveColumns,
  rowLength,
  windowRowMs,
  type WithDerived,
} from '../../core/formula/deriveColumns.ts';
import type { FormulaError } from '../../core/formula/formula.ts';
import type { Derivation, DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Column } from '../../shared/frame.ts';
import { LastResult } from '../lastResult.ts';
import type { TableState } from './rowModel.ts';

/** A result with derived columns. */
interface Derived {
  readonly state: TableState;
  /** How they are derived; undefined for none. */
  readonly derivation: Derivation | undefined;
  /** Why others could not be made of this result, by name. */
  readonly errors: ReadonlyMap<string, FormulaError>;
}

/** Adds derived columns to the rows of a result, and caches the last. */
export class DerivedRows {
  readonly #last = new LastResult<WithDerived & { readonly derivation: Derivation }>();
  #received: TableState | undefined;
  #shown: Derived | undefined;

  /** The same state for the same result and columns. */
  shown(received: TableState, columns: readonly DerivedColumn[]): Derived {
    const { frame, step } = received;
    const made =
      columns.length === 0
        ? { frame, derivation: undefined, errors: new Map<string, FormulaError>() }
        : this.#last.of(frame, JSON.stringify([columns, step]), () => withDerived(received, columns));
    // Those who are given the state cache what they make of it.
    const isSame = this.#received === received && this.#shown?.state.frame === made.frame;
    const withColumns = columns.length === 0 ? received : { ...received, frame: made.frame };
    const state = isSame && this.#shown ? this.#shown.state : withColumns;
    this.#received = received;
    return (this.#shown = { ...made, state });
  }

  /** What was shown last. */
  get last(): Derived | undefined {
    return this.#shown;
  }

  /** The length that durations in a formula are multiples of, as `windowRowMs` has it. */
  get rowMs(): number | undefined {
    return this.#received && windowRowMs(this.#received.frame, rowLength(this.#received));
  }

  /** The columns that one may read which is derived after these. */
  columnsAfter(derived: readonly DerivedColumn[]): readonly Column[] {
    const received = this.#received?.frame.columns ?? [];
    const made = this.#shown?.state.frame.columns.slice(received.length) ?? [];
    return [...received, ...made.filter(({ name }) => derived.some(one => one.name === name))];
  }
}

function withDerived(state: TableState, columns: readonly DerivedColumn[]) {
  const derivation = derivationOf(state, columns);
  return { ...deriveColumns(state.frame, derivation), derivation };
}
