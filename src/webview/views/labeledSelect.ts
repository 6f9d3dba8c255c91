import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

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
