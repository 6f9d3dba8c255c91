/** Parses an R string according to the R manual (NumericConstants and Quotes), for machines without R. */
export function readR(literal: string): string {
  const content = /^"((?:[^"\\]|\\[^])*)"$/.exec(literal)?.[1];
  if (content === undefined) throw new Error(`no text of R: ${literal}`);
  return content.replace(/\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|([^]))/g, (whole, short, long, char: string) => {
    const code = (short ?? long) as string | undefined;
    if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
    const known: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
    const read = known[char];
    if (read === undefined) throw new Error(`unknown escape: ${whole}`);
    return read;
  });
}

const quotes = "'‘’‚‛";

/** Parses a PowerShell string, or a sum of several, according to its specification, for machines without PowerShell. */
export function readPowerShell(expression: string): string {
  const inner = expression.startsWith('(') && expression.endsWith(')') ? expression.slice(1, -1) : expression;
  let text = '';
  let at = 0;
  const isQuote = (place: number): boolean => quotes.includes(inner[place] ?? '\0');
  for (;;) {
    const char = /^\[char\]0x([0-9a-f]{4})/.exec(inner.slice(at, at + 12));
    if (char) {
      text += String.fromCharCode(parseInt(char[1] ?? '', 16));
      at += char[0].length;
    } else {
      if (!isQuote(at)) throw new Error(`no text of PowerShell: ${expression}`);
      at++;
      while (!isQuote(at) || isQuote(at + 1)) {
        if (at >= inner.length) throw new Error(`not closed: ${expression}`);
        text += inner.charAt(at);
        at += isQuote(at) ? 2 : 1;
      }
      at++;
    }
    if (at === inner.length) return text;
    if (!inner.startsWith(' + ', at)) throw new Error(`not a sum: ${expression}`);
    at += 3;
  }
}
