import type { TextMeasure } from './columnWidths.ts';

/** Measures with the fonts that the two elements have now. */
export function measureTexts(header: Element, cell: Element): TextMeasure {
  const context = document.createElement('canvas').getContext('2d');
  const measurer = (element: Element) => {
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    return (text: string) => {
      if (!context) return text.length * 8;
      context.font = font;
      return context.measureText(text).width;
    };
  };
  return { header: measurer(header), cell: measurer(cell) };
}
