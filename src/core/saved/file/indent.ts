/** How the file is written. */
export interface Style {
  readonly eol: string;
  /** One step. */
  readonly indent: string;
}

export function styleOf(text: string): Style {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ' };
}

/** The spaces or tabs at the beginning of the line in which `offset` is. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The same lines, further in or out. */
export function reindent(block: string, from: string, to: string): string {
  if (from === to) return block;
  return block
    .split('\n')
    .map((line, index) => (index > 0 && line.startsWith(from) ? to + line.slice(from.length) : line))
    .join('\n');
}
