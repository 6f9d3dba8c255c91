/** The difference of a channel up to which two pixels are considered equal. Rounding causes smaller differences. */
const tolerance = 40;
/** A smaller difference, which is invisible in one pixel but visible in an area. */
const faint = 8;

async function readPixels(dataUrl: string): Promise<ImageData> {
  const image = new Image();
  image.src = dataUrl;
  await image.decode();
  const { context } = createCanvas(image.width, image.height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}

function createCanvas(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The page draws no pictures.');
  return { canvas, context };
}

interface Difference {
  /** The number of different pixels; all if the sizes differ. */
  readonly pixels: number;
  /** The number of pixels with at least a faint difference. */
  readonly faint: number;
  /** The new picture, pale, with different pixels in red, as a data URL. */
  readonly marked: string;
}

/** Compares two pictures, which are data URLs. */
export async function comparePictures(saved: string, current: string): Promise<Difference> {
  const before = await readPixels(saved);
  const after = await readPixels(current);
  const { width, height } = after;
  if (before.width !== width || before.height !== height) return { pixels: width * height, faint: 0, marked: current };
  let pixels = 0;
  let faintPixels = 0;
  for (let offset = 0; offset < after.data.length; offset += 4) {
    const differences = [0, 1, 2].map(channel =>
      Math.abs((before.data[offset + channel] ?? 0) - (after.data[offset + channel] ?? 0)),
    );
    const maxDifference = Math.max(...differences);
    pixels += Number(maxDifference > tolerance);
    faintPixels += Number(maxDifference > faint);
    if (maxDifference > faint) after.data.set([255, 0, 0, 255], offset);
    else after.data[offset + 3] = 80;
  }
  const { canvas, context } = createCanvas(width, height);
  context.putImageData(after, 0, 0);
  return { pixels, faint: faintPixels, marked: canvas.toDataURL() };
}
