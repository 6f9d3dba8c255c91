/** The text of a file without its byte order mark, and the label of the encoding in which it was read. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Decodes bytes. Uses the encoding of their byte order mark, or else `requestedEncoding`, or else UTF-8 or UTF-16 if the bytes are valid, or
 * else Windows-1252, since Excel's plain "CSV" uses the code page of its system.
 */
export function decodeText(bytes: Uint8Array, requestedEncoding?: string): DecodedText {
  const encoding = detectByteOrderMark(bytes) ?? requestedEncoding ?? guessEncoding(bytes);
  try {
    return {
      text: new TextDecoder(encoding, { fatal: encoding === 'utf-8' && requestedEncoding === undefined }).decode(bytes),
      encoding,
    };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

function detectByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Detects UTF-16 by its zero bytes: most of a table is ASCII, whose every second byte is 0 in UTF-16. */
function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 1_000_000);
  const zeroCounts = [0, 0];
  for (let index = 0; index < sample.length; index++)
    if (sample[index] === 0) zeroCounts[index % 2] = (zeroCounts[index % 2] ?? 0) + 1;
  const [zerosAtEven = 0, zerosAtOdd = 0] = zeroCounts;
  if (Math.max(zerosAtEven, zerosAtOdd) <= sample.length / 4) return 'utf-8';
  return zerosAtOdd > zerosAtEven ? 'utf-16le' : 'utf-16be';
}
