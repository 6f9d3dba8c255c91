import type { GridPlace } from './grid/gridPlace.ts';
import type { VsCodeApi } from './vscodeApi.ts';

/** Remembers where the person was in the table of a title, across hiding and reloading the page. */
export class SavedPlace {
  private readonly api: VsCodeApi;

  constructor(api: VsCodeApi) {
    this.api = api;
  }

  save(title: string, place: GridPlace): void {
    this.api.setState({ title, place });
  }

  /** The place kept for this title; undefined for another title or a state of another form. */
  restore(title: string): GridPlace | undefined {
    const state = this.api.getState() as { title?: unknown; place?: Partial<GridPlace> } | null | undefined;
    const { topRow, row, column } = state?.place ?? {};
    if (state?.title !== title || !isRow(topRow) || !Number.isInteger(row) || typeof column !== 'string')
      return undefined;
    return { topRow, row: row as number, column };
  }
}

function isRow(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
