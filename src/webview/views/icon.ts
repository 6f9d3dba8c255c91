import { html, type TemplateResult } from 'lit';

/** A codicon beside words, which say it. */
export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** A button of an icon alone. `label`: what a screen reader says. */
export function iconButton(name: string, label: string, run: () => void, title = label): TemplateResult {
  return html`<button class="bare" aria-label=${label} title=${title} @click=${run}>${icon(name)}</button>`;
}
