/** A channel of a pixel may differ by that much: less is how a curve was rounded, not what it shows. */
const tolerance = 40;
/** By so little nobody sees one pixel differ, but an area. */
const faint = 8;

async function pixelsOf(address: string): Promise<ImageData> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { context } = drawing(image.width, image.height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}

function drawing(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The page draws no pictures.');
  return { canvas, context };
}

interface Difference {
  /** How many pixels differ, all where the sizes do. */
  readonly pixels: number;
  /** How many differ at all. */
  readonly faint: number;
  /** The later picture, pale, with those in red. */
  readonly marked: string;
}

/** Holds two pictures beside each other, which are data addresses. */
export async function comparePictures(kept: string, now: string): Promise<Difference> {
  const [before, after] = [await pixelsOf(kept), await pixelsOf(now)];
  const { width, height } = after;
  if (before.width !== width || before.height !== height) return { pixels: width * height, faint: 0, marked: now };
  let [pixels, faintPixels] = [0, 0];
  for (let at = 0; at < after.data.length; at += 4) {
    const differences = [0, 1, 2].map(channel =>
      Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)),
    );
    const most = Math.max(...differences);
    pixels += Number(most > tolerance);
    faintPixels += Number(most > faint);
    if (most > faint) after.data.set([255, 0, 0, 255], at);
    else after.data[at + 3] = 80;
  }
  const { canvas, context } = drawing(width, height);
  context.putImageData(after, 0, 0);
  return { pixels, faint: faintPixels, marked: canvas.toDataURL() };
}
