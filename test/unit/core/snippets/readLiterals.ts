/** Parses an R string by the R manual (NumericConstants and Quotes), for machines without R. */
export function readR(literal: string): string {
  const content = /^"((?:[^"\\]|\\[^])*)"$/.exec(literal)?.[1];
  if (content === undefined) throw new Error(`no text of R: ${literal}`);
  return content.replace(/\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|([^]))/g, (escape, short, long, char: string) => {
    const code = (short ?? long) as string | undefined;
    if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
    const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
    const escaped = escapes[char];
    if (escaped === undefined) throw new Error(`unknown escape: ${escape}`);
    return escaped;
  });
}

const quotes = "'‘’‚‛";

/** Parses a PowerShell string, or a sum of several, by its specification, for machines without PowerShell. */
export function readPowerShell(expression: string): string {
  const inner = expression.startsWith('(') && expression.endsWith(')') ? expression.slice(1, -1) : expression;
  let text = '';
  let index = 0;
  const isQuote = (position: number): boolean => quotes.includes(inner[position] ?? '\0');
  for (;;) {
    const char = /^\[char\]0x([0-9a-f]{4})/.exec(inner.slice(index, index + 12));
    if (char) {
      text += String.fromCharCode(parseInt(char[1] ?? '', 16));
      index += char[0].length;
    } else {
      if (!isQuote(index)) throw new Error(`no text of PowerShell: ${expression}`);
      index++;
      while (!isQuote(index) || isQuote(index + 1)) {
        if (index >= inner.length) throw new Error(`not closed: ${expression}`);
        text += inner.charAt(index);
        index += isQuote(index) ? 2 : 1;
      }
      index++;
    }
    if (index === inner.length) return text;
    if (!inner.startsWith(' + ', index)) throw new Error(`not a sum: ${expression}`);
    index += 3;
  }
}
