import { chosenWidth, narrowestWidth, plainArrangement, shownNames } from './columnArrangement.ts';
import type { ColumnArrangement } from './columnArrangement.ts';
import { ColumnLayout } from './columnLayout.ts';
import { columnWidths } from './columnWidths.ts';
import type { TextMeasure } from './columnWidths.ts';
import type { GridColumn, GridData } from './gridColumn.ts';

/** The columns as the person has arranged them: which are shown, in which order, how wide. */
export class ShownColumns {
  arrangement: ColumnArrangement = plainArrangement;
  /** Names of all columns of the data. */
  names: readonly string[] = [];
  /** Those shown, in their order. */
  columns: readonly GridColumn[] = [];
  layout = new ColumnLayout([]);
  private all: readonly GridColumn[] = [];
  private natural = new Map<string, number>();
  private tried: { readonly name: string; readonly width: number } | undefined;

  /** Takes other data, and measures it. */
  take({ columns, hints }: GridData, measure: TextMeasure): void {
    this.all = columns;
    this.names = columns.map(({ name }) => name);
    const widths = columnWidths(columns, measure, hints);
    this.natural = new Map(columns.map(({ name }, index) => [name, widths[index] ?? 0]));
    this.arrange(this.arrangement);
  }

  /** Lays the columns out anew. */
  arrange(arrangement: ColumnArrangement): void {
    this.arrangement = arrangement;
    const byName = new Map(this.all.map(column => [column.name, column]));
    this.columns = shownNames(this.names, arrangement).flatMap(name => byName.get(name) ?? []);
    this.layOut();
  }

  /** Draws a column at another width until the person has decided. */
  tryWidth(name: string, width: number | undefined): void {
    this.tried = width === undefined ? undefined : { name, width: Math.max(narrowestWidth, Math.round(width)) };
    this.layOut();
  }

  /** How many columns can stay in place in a view of this width and leave half of it to the others. */
  frozenIn(viewWidth: number): number {
    let frozen = Math.min(this.arrangement.frozen, this.columns.length);
    while (frozen > 0 && this.layout.left(frozen) > viewWidth / 2) frozen--;
    return frozen;
  }

  indexOf(name: string | undefined): number {
    return this.columns.findIndex(column => column.name === name);
  }

  private layOut(): void {
    this.layout = new ColumnLayout(
      this.columns.map(({ name }) => {
        if (this.tried?.name === name) return this.tried.width;
        return chosenWidth(this.arrangement, name) ?? this.natural.get(name) ?? 0;
      }),
    );
  }
}
