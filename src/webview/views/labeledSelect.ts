import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { NumberColumn } from '../../shared/frame.ts';
import { createColumnHeader } from '../../presentation/columns/columnHeader.ts';

/** Renders a drop-down list with a label. */
export function labeledSelect<Value extends string>(
  label: string,
  options: readonly (readonly [value: Value, name: string])[],
  selected: Value,
  onSelect: (value: Value) => void,
): TemplateResult {
  const onChange = (event: Event): void => {
    const [value] = options[(event.target as HTMLSelectElement).selectedIndex] ?? [];
    if (value !== undefined) onSelect(value);
  };
  return html`<label
    >${label}
    <select @change=${onChange}>
      ${options.map(([value, name]) => html`<option value=${value} .selected=${live(value === selected)}>${name}</option>`)}
    </select>
  </label>`;
}

/** Renders a drop-down list of columns. A table may have thousands of columns, so the list is rendered again only if they change. */
export function columnSelect(
  label: string,
  columns: readonly NumberColumn[],
  selected: NumberColumn,
  onSelect: (name: string) => void,
): TemplateResult {
  return html`${guard([columns, selected], () =>
    labeledSelect(
      label,
      columns.map(column => [column.name, createColumnHeader(column).label]),
      selected.name,
      onSelect,
    ),
  )}`;
}
