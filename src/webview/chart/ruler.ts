/** Measures the width of texts in a font, in CSS pixels, at a size in CSS pixels. */
export function ruler(font: string): (text: string, size: number) => number {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  return (text, size) => {
    if (!context) return text.length * size * 0.6;
    context.font = `${size}px ${font}`;
    return context.measureText(text).width;
  };
}
