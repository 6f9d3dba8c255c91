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

/** All rules of axe-core, or those of which a theme can make a difference. */
export type AxeRules = 'all' | 'themed';

/**
 * Rules that look at colours and, as high contrast has borders of its own, at sizes. All others look at elements, attributes and
 * what is hidden, of which no theme changes anything.
 */
export const themedRules = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/** Notes breaches of the policy and errors, which the panel reports itself. */
export function noteTroubles(troubles: string[], component: ComponentName): void {
  document.addEventListener('securitypolicyviolation', event =>
    troubles.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
  );
  if (component === 'panel') return;
  window.addEventListener('error', event => troubles.push(event.message));
  window.addEventListener('unhandledrejection', event => troubles.push(String(event.reason)));
}

/** What axe-core, whose script a test brings, finds wrong with the page. */
export async function axe(rules: AxeRules = 'all'): Promise<readonly string[]> {
  if (!window.axe) throw new Error('axe-core is not in the page.');
  const { violations } = await window.axe.run({
    // What passes is not described, which takes as long as some of the rules.
    resultTypes: ['violations'],
    // The style sheets that it reads again, against the page's policy, are for a rule that is off.
    preload: { assets: ['media'] },
    ...(rules === 'themed' && { runOnly: themedRules }),
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
}
