/** The themes of the tests: their labels, and the class that the window then bears. */
export const themes = {
  light: { label: 'Light Modern', mark: 'vs' },
  dark: { label: 'Dark Modern', mark: 'vs-dark' },
  hcDark: { label: 'Dark High Contrast', mark: 'hc-black' },
  hcLight: { label: 'Light High Contrast', mark: 'hc-light' },
} as const;

/** The name of a theme of the tests. */
export type Theme = keyof typeof themes;
