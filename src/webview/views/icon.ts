import { html, type TemplateResult } from 'lit';

/** Renders a codicon that is hidden from screen readers, because a text next to it has the same meaning. */
export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** Renders a button with only an icon. `label` is the text for screen readers. */
export function iconButton(name: string, label: string, run: () => void, title = label): TemplateResult {
  return html`<button class="bare" aria-label=${label} title=${title} @click=${run}>${icon(name)}</button>`;
}
