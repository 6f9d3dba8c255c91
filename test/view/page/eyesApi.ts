/** All rules of axe-core, or those of which a theme can make a difference. */
export type AxeRules = 'all' | 'themed';

/**
 * Rules that look at colours and, as high contrast has borders of its own, at sizes. All others look at elements, attributes and
 * what is hidden, of which no theme changes anything.
 */
export const themedRules = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];
