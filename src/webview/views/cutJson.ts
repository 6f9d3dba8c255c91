import { jsonPieces } from '../../core/json/formatJson.ts';
import { longestRaw } from '../../shared/protocol.ts';

/** A browser needs longer than linear time to wrap a line of joined letters. */
const longestLine = 2_000;
const linesPerBlock = 200;
const longestBlock = 20_000;

/**
 * JSON laid out for the page, in blocks of lines that are drawn one by one: at most 2,000,000 characters and 2,000 in a line.
 * What is beyond is neither read nor laid out.
 */
export function cutJson(text: string): { readonly blocks: readonly string[]; readonly cut: boolean } {
  let laidOut = '';
  for (const piece of jsonPieces(text.slice(0, longestRaw))) {
    laidOut += piece;
    if (laidOut.length > longestRaw) break;
  }
  let cut = text.length > longestRaw || laidOut.length > longestRaw;
  const lastLine = laidOut.length > longestRaw ? laidOut.lastIndexOf('\n', longestRaw) : -1;
  const blocks: string[] = [];
  let [block, lines]: [string, number] = ['', 0];
  for (const line of (lastLine > 0 ? laidOut.slice(0, lastLine) : laidOut).split('\n')) {
    const isLong = line.length > longestLine;
    const shown = isLong ? `${line.slice(0, longestLine)}…` : line;
    cut ||= isLong;
    if (lines === linesPerBlock || (lines > 0 && block.length + shown.length > longestBlock)) {
      blocks.push(block);
      [block, lines] = ['', 0];
    }
    block += lines > 0 ? `\n${shown}` : shown;
    lines++;
  }
  return { blocks: [...blocks, block], cut };
}
