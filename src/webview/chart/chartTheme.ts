import { ruler } from './paint.ts';
import { paletteOf } from '../../presentation/chart/palette.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** The colours and the font an element stands in. */
export function themeOf(element: HTMLElement): Pick<PlotScene, 'palette' | 'font' | 'measure'> {
  // Outside the page an element has no style; the page's own is what it will stand in.
  const style = getComputedStyle(element.isConnected ? element : document.body);
  const highContrast = document.body.classList.contains('vscode-high-contrast');
  const palette = paletteOf(token => style.getPropertyValue(token), highContrast);
  const font = style.fontFamily || 'sans-serif';
  return { palette, font, measure: ruler(font) };
}
