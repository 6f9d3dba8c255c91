import { paletteOf } from './palette.ts';
import type { Palette } from './palette.ts';

/** The colours and the font an element stands in. */
export interface ChartTheme {
  readonly palette: Palette;
  readonly font: string;
}

export function themeOf(element: HTMLElement): ChartTheme {
  // Outside the page an element has no style; the page's own is what it will stand in.
  const style = getComputedStyle(element.isConnected ? element : document.body);
  const highContrast = document.body.classList.contains('vscode-high-contrast');
  const palette = paletteOf(token => style.getPropertyValue(token), highContrast);
  return { palette, font: style.fontFamily || 'sans-serif' };
}
