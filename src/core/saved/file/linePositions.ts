/** A place in a text as editors count it: both from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Finds the line of an offset. Lines end as in editors: with a line feed, a carriage return, or both. */
export function linePositions(text: string): (offset: number) => LinePosition {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), match => match.index + match[0].length)];
  return offset => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? Infinity) <= offset) line = middle;
      else end = middle;
    }
    return { line, character: offset - (starts[line] ?? 0) };
  };
}
