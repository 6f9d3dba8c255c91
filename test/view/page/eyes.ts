import type { AxeResults, RunOptions } from 'axe-core';
import { themedRules, type AxeRules } from './eyesApi.ts';

declare global {
  interface Window {
    axe?: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** Breaches of the policy and errors, from now on. */
export function troublesOf(): string[] {
  const troubles: string[] = [];
  document.addEventListener('securitypolicyviolation', event =>
    troubles.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
  );
  window.addEventListener('error', event => troubles.push(event.message));
  window.addEventListener('unhandledrejection', event => troubles.push(String(event.reason)));
  return troubles;
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
