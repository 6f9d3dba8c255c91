/** All rules of axe-core, or those of which a theme can make a difference. */
export type AxeRules = 'all' | 'themed';
