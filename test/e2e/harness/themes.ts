/** The color themes of the tests: their labels, and the class of the workbench element. */
export const themes = {
  light: { label: 'Light Modern', className: 'vs' },
  dark: { label: 'Dark Modern', className: 'vs-dark' },
  hcDark: { label: 'Dark High Contrast', className: 'hc-black' },
  hcLight: { label: 'Light High Contrast', className: 'hc-light' },
} as const;

/** The key of a theme. */
export type Theme = keyof typeof themes;
