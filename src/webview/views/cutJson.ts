const longest = 2_000_000;
const linesPerBlock = 200;

/** A text for the page: at most 2,000,000 characters, ended at a line where there is one, in blocks of 200 lines. */
export function cutJson(text: string): { readonly blocks: readonly string[]; readonly cut: boolean } {
  const cut = text.length > longest;
  const lastLine = cut ? text.lastIndexOf('\n', longest) : -1;
  const lines = (cut ? text.slice(0, lastLine > 0 ? lastLine : longest) : text).split('\n');
  const blocks: string[] = [];
  for (let line = 0; line < lines.length; line += linesPerBlock)
    blocks.push(lines.slice(line, line + linesPerBlock).join('\n'));
  return { blocks, cut };
}
