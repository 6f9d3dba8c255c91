/** The fonts of reports. Every system has one of them, and their letters have the same widths. */
export const paperFont = 'Arial, Helvetica, sans-serif';

/** Widths of the characters from the blank to the tilde, in thousandths of the size: Adobe's metrics of Helvetica (Core 14 AFM), which Arial shares. */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];
/** The widths of all other characters: a typical width, and a full square for East Asian scripts. */
const typicalWidth = 600;
const squareWidth = 1000;
const firstSquare = 0x2e80;

/** Estimates the width of a text in CSS pixels. `size` is the font size in CSS pixels. */
export function measurePaperText(text: string, size: number): number {
  let width = 0;
  // An accent adds no width to its letter.
  for (const character of text.normalize('NFD').replace(/\p{M}/gu, '')) {
    const code = character.codePointAt(0) ?? 0;
    width += widths[code - 32] ?? (code < firstSquare ? typicalWidth : squareWidth);
  }
  return (width * size) / 1000;
}
