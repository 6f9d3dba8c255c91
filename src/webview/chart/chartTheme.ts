import { createTextRuler } from './paint.ts';
import { createPalette } from '../../presentation/chart/palette.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** Reads the colors and the font of an element from its style. */
export function readTheme(element: HTMLElement): Pick<PlotScene, 'palette' | 'font' | 'measureWidth'> {
  // An element outside the page has no style. Once it is in the page, it inherits the style of the body.
  const style = getComputedStyle(element.isConnected ? element : document.body);
  const highContrast = document.body.classList.contains('vscode-high-contrast');
  const palette = createPalette(token => style.getPropertyValue(token), highContrast);
  const font = style.fontFamily || 'sans-serif';
  return { palette, font, measureWidth: createTextRuler(font) };
}
