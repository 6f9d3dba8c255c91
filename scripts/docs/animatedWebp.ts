/** A still WebP picture and its duration in milliseconds. */
export interface WebpFrame {
  readonly webp: Buffer;
  readonly durationMs: number;
}

/**
 * Combines still pictures of the same size (in pixels) into an endless animation. The format is described at
 * https://developers.google.com/speed/webp/docs/riff_container
 */
export function encodeAnimatedWebp(frames: readonly WebpFrame[], width: number, height: number): Buffer {
  const hasAnimation = 0x02;
  const header = Buffer.concat([
    Buffer.from([hasAnimation, 0, 0, 0]),
    encodeUint24(width - 1),
    encodeUint24(height - 1),
  ]);
  // Zero means no background color and an endless loop.
  const animation = Buffer.alloc(6);
  const frameChunks = frames.map(({ webp, durationMs }) => {
    const overwritesFrame = 0x02;
    const frameHeader = [
      encodeUint24(0),
      encodeUint24(0),
      encodeUint24(width - 1),
      encodeUint24(height - 1),
      encodeUint24(durationMs),
      Buffer.from([overwritesFrame]),
    ];
    return encodeChunk('ANMF', Buffer.concat([...frameHeader, findImageChunk(webp)]));
  });
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    encodeChunk('VP8X', header),
    encodeChunk('ANIM', animation),
    ...frameChunks,
  ]);
  return encodeChunk('RIFF', body);
}

/** Returns the chunk with the pixels, including its name and length. Throws if there is none. */
function findImageChunk(webp: Buffer): Buffer {
  for (let offset = 12; offset + 8 <= webp.length;) {
    const length = webp.readUInt32LE(offset + 4);
    const end = offset + 8 + length + (length % 2);
    if (['VP8 ', 'VP8L'].includes(webp.toString('latin1', offset, offset + 4))) return webp.subarray(offset, end);
    offset = end;
  }
  throw new Error('The WebP picture has no pixels.');
}

/** Encodes a RIFF chunk: a name of four characters, the content's length, and the content padded to an even length. */
function encodeChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, content, Buffer.alloc(content.length % 2)]);
}

function encodeUint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
