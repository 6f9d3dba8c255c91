/** So often a text is unescaped: JSON in a percent-encoded link in HTML in JSON, and some more. */
const maxLayers = 6;
const mask = '[key]';

/**
 * One escaped character, or what can stand between the characters of a key unseen: a tag, the end of a line, a control
 * character, a zero-width one (all but those listed at the end). Each alternative begins with
 * a character of its own and is bounded, so a text is searched in linear time.
 */
const escapes =
  /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([^]))|%(?:25)*([0-9a-f]{2})|&(?:amp;)*(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));?|<[!/?a-z][^<>]{0,1000}>|\r?\n(?<=[\w+/-]\r?\n)(?=[\w+/-])|[^\t\n\r -~\xa0-\xac\xae-\u180d\u180f-\u200a\u2010-\u2029\u202f-\u205f\u2070-\ufefe\uff00-\uffff]/gi;

/**
 * What `escapes` needs in an ASCII text, which a search for it would take several times as long for. V8 compares 16 characters at a
 * time for a class of up to as many.
 */
// eslint-disable-next-line no-control-regex
const escapeMarks = [/[\\%&<]/, /[\0-\x08\x0b\x0c\x0e-\x10]/, /[\x11-\x1f\x7f]/, /[\w+/-]\r?\n[\w+/-]/];

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The text with every occurrence of the key replaced: plain, base64, base64url or hex, and each of them escaped for JSON, a URL or
 * HTML, or split by tags and invisible characters. Where the text is JSON, so is the result.
 */
export function redactKey(text: string, key: string): string {
  if (key === '') return text;
  const forms = formsOf(key);
  const layers = [text];
  let found: Span[] = [];
  for (let depth = 0; depth < layers.length; depth++) {
    const layer = layers[depth] ?? '';
    let spans = spansOf(layer, forms);
    for (let below = depth - 1; below >= 0 && spans.length > 0; below--)
      spans = escapedSpans(layers[below] ?? '', spans);
    found = found.concat(spans);
    if (depth < maxLayers && hasEscapes(layer)) layers.push(layer.replace(escapes, unescaped));
  }
  return found.length === 0 ? text : withMasks(text, found);
}

function hasEscapes(text: string): boolean {
  if (isAscii(text) && !escapeMarks.some(mark => mark.test(text))) return false;
  return text.search(escapes) >= 0;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** The spellings of the key in which no character is escaped. */
function formsOf(key: string): string[] {
  const hex = Buffer.from(key).toString('hex');
  const forms = [key, key.replace(escapes, unescaped), hex, hex.toUpperCase()];
  // The characters depend on how many bytes are encoded before the key; those that also hold bits of its neighbours are left out.
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.from('\0'.repeat(before) + key);
    const whole = Math.floor((bytes.length * 8) / 6);
    const first = Math.ceil((before * 8) / 6);
    forms.push(bytes.toString('base64').slice(first, whole), bytes.toString('base64url').slice(first, whole));
  }
  return [...new Set(forms)].filter(form => form.length >= Math.min(8, key.length));
}

function spansOf(text: string, forms: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const form of forms) {
    for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + form.length))
      spans.push({ start, end: start + form.length });
  }
  return merged(spans);
}

function unescaped(
  ...[, unicode, byte, other, percent, decimal, hex, entity]: readonly (string | undefined)[]
): string {
  const code = unicode ?? byte ?? percent ?? hex;
  if (code !== undefined) return characterOf(parseInt(code, 16));
  if (decimal !== undefined) return characterOf(Number(decimal));
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? '';
  return other === undefined || /[bfnrt]/.test(other) ? '' : other;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Where parts of the unescaped text stand in the text itself. The parts come in order and do not overlap. */
function escapedSpans(text: string, spans: readonly Span[]): Span[] {
  const bounds = spans.flatMap(({ start, end }) => [start, end]);
  const mapped: number[] = [];
  /** How much longer the text is up to here than the unescaped text. */
  let longer = 0;
  for (const token of text.matchAll(escapes)) {
    const [{ length }, start] = [token[0], token.index - longer];
    const end = start + unescaped(...token).length;
    for (; mapped.length < bounds.length;) {
      const bound = bounds[mapped.length] ?? 0;
      const isEnd = mapped.length % 2 === 1;
      if (isEnd ? bound <= start : bound < start) mapped.push(bound + longer);
      else if (isEnd ? bound <= end : bound < end) mapped.push(token.index + (isEnd ? length : 0));
      else break;
    }
    if (mapped.length === bounds.length) break;
    longer += length - (end - start);
  }
  while (mapped.length < bounds.length) mapped.push((bounds[mapped.length] ?? 0) + longer);
  return spans.map((_, index) => ({ start: mapped[2 * index] ?? 0, end: mapped[2 * index + 1] ?? 0 }));
}

function withMasks(text: string, spans: readonly Span[]): string {
  let [redacted, at] = ['', 0];
  for (const { start, end } of merged(spans)) {
    // A key that begins with the second character of an escape takes all of it.
    const isEscape = (/\\*$/.exec(text.slice(Math.max(at, start - 64), start))?.[0].length ?? 0) % 2 === 1;
    redacted += text.slice(at, isEscape ? start - 1 : start) + mask;
    at = end;
  }
  return redacted + text.slice(at);
}

/** In order, and those that overlap as one. */
function merged(spans: readonly Span[]): Span[] {
  const whole: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else whole.push({ start, end });
  }
  return whole;
}
