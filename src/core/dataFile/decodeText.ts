/** The text of a file without its byte order mark, and the label of the encoding in which it was read. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Reads bytes by their byte order mark, else in the encoding that is given, else as UTF-8 or UTF-16, whichever they can be, or else as
 * Windows-1252: Excel's plain "CSV" is in the code page of its system.
 */
export function decodeText(bytes: Uint8Array, chosen?: string): DecodedText {
  const encoding = markedEncoding(bytes) ?? chosen ?? likelyEncoding(bytes);
  try {
    return {
      text: new TextDecoder(encoding, { fatal: encoding === 'utf-8' && chosen === undefined }).decode(bytes),
      encoding,
    };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** In UTF-16, every second byte of ASCII is 0, and most of a table is ASCII. */
function likelyEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 1_000_000);
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) <= sample.length / 4) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}
