/** A still WebP picture, and how long it is shown (milliseconds). */
export interface WebpFrame {
  readonly webp: Buffer;
  readonly ms: number;
}

/**
 * An endless animation of still pictures of one size (width and height in pixels), which a browser has encoded. The format:
 * https://developers.google.com/speed/webp/docs/riff_container
 */
export function animatedWebp(frames: readonly WebpFrame[], width: number, height: number): Buffer {
  const hasAnimation = 0x02;
  const header = Buffer.concat([Buffer.from([hasAnimation, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]);
  // Background colour and number of rounds: none, and without end.
  const animation = Buffer.alloc(6);
  const all = frames.map(({ webp, ms }) => {
    const replacesAll = 0x02;
    const place = [uint24(0), uint24(0), uint24(width - 1), uint24(height - 1), uint24(ms), Buffer.from([replacesAll])];
    return chunk('ANMF', Buffer.concat([...place, imageData(webp)]));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', header), chunk('ANIM', animation), ...all]);
  return chunk('RIFF', body);
}

/** The chunk with the pixels, its name and length included. Throws where there is none. */
function imageData(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length;) {
    const length = webp.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (['VP8 ', 'VP8L'].includes(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end);
    at = end;
  }
  throw new Error('A WebP picture without pixels.');
}

/** A name of four characters, the length of the content, and the content filled up to an even length. */
function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
