import type { AxeResults, RunOptions } from 'axe-core';
import type { ComponentName } from './page.ts';

declare global {
  interface Window {
    settings: {
      component: ComponentName;
      locale: string;
      strings: Record<string, string> | undefined;
      namesExport?: boolean;
    };
    axe?: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** All rules of axe-core, or those whose results depend on the theme. */
export type AxeRules = 'all' | 'themed';

/**
 * Rules that check colors and, because high contrast adds borders, sizes. All other rules check elements, attributes and visibility,
 * which no theme changes.
 */
export const themedRules = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/** Records Content Security Policy violations and errors. The panel reports errors itself. */
export function recordErrors(errors: string[], component: ComponentName): void {
  document.addEventListener('securitypolicyviolation', event =>
    errors.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
  );
  if (component === 'panel') return;
  window.addEventListener('error', event => errors.push(event.message));
  window.addEventListener('unhandledrejection', event => errors.push(String(event.reason)));
}

/** Returns the violations that axe-core finds in the page. The test must have added its script. */
export async function axe(rules: AxeRules = 'all'): Promise<readonly string[]> {
  if (!window.axe) throw new Error('axe-core is not in the page.');
  const { violations } = await window.axe.run({
    // Results that pass are not reported, which saves time.
    resultTypes: ['violations'],
    // axe-core would reload style sheets, against the page's policy, for a rule that is off.
    preload: { assets: ['media'] },
    ...(rules === 'themed' && { runOnly: themedRules }),
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
}
