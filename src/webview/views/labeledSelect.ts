import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { NumberColumn } from '../../shared/frame.ts';
import { columnHeader } from '../../presentation/columns/columnHeader.ts';

/** A choice with its label before it. `offered`: values, and what they are called. */
export function labeledSelect<Value extends string>(
  label: string,
  offered: readonly (readonly [value: Value, name: string])[],
  chosen: Value,
  choose: (value: Value) => void,
): TemplateResult {
  const change = (event: Event): void => {
    const [value] = offered[(event.target as HTMLSelectElement).selectedIndex] ?? [];
    if (value !== undefined) choose(value);
  };
  return html`<label
    >${label}
    <select @change=${change}>
      ${offered.map(([value, name]) => html`<option value=${value} .selected=${live(value === chosen)}>${name}</option>`)}
    </select>
  </label>`;
}

/** A choice of columns. A table may have thousands of columns: their names are written once. */
export function columnSelect(
  label: string,
  columns: readonly NumberColumn[],
  chosen: NumberColumn,
  choose: (name: string) => void,
): TemplateResult {
  return html`${guard([columns, chosen], () =>
    labeledSelect(
      label,
      columns.map(column => [column.name, columnHeader(column).label]),
      chosen.name,
      choose,
    ),
  )}`;
}
