import { runSteps, stepTexts, type Steps } from '../../core/time/steps.ts';
import { keyMatchers, shortestForm, type TextSpan } from './keyMatcher.ts';

/** How often a text is unescaped: JSON in a percent-encoded link in HTML in JSON, and some more. */
const maxLayers = 6;
const mask = '[key]';

/**
 * One escaped character, or what can hide between the characters of a key: a tag, the end of a line, a control character, a
 * zero-width one (all but those listed at the end). Each alternative begins with one of a few characters and is bounded, so
 * that a text is searched in linear time.
 */
const escapes =
  /(?:\\u|%(?:25)*u)([0-9a-f]{4})|\\u\{0*([0-9a-f]{1,6})\}|(?:\\x|%(?:25)*)([0-9a-f]{2})|\\([01][0-7]{2})|\\([^])|&(?:amp;)*(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|[a-z]{2,24}(?=;)));?|<[!/?a-z][^<>]{0,1000}>|=(?:\r|\\r)?(?:\n|\\n)|\r?\n(?<=[\w+/-]\r?\n)(?=[\w+/-])|[^\t\n\r -~\xa0-\xac\xae-\u034e\u0350-\u180d\u180f-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u27ff\u2801-\u3163\u3165-\ufdff\ufe10-\ufefe\uff00-\uffff]/gi;

/**
 * Without one of these an ASCII text has no `escapes`: a search for them is several times as fast. V8 compares 16 characters at a
 * time for a class of up to as many.
 */
// oxlint-disable-next-line no-control-regex
const escapeMarks = [/[\\%&<]/, /[\0-\x08\x0b\x0c\x0e-\x10]/, /[\x11-\x1f\x7f]/, /[\w+/-]\r?\n[\w+/-]|=\r?\n/];

/** The entities of ASCII, of look-alikes and of invisible characters, by their names in lower case. */
const entities = new Map(
  [
    ...['! excl', '" quot', '# num', '$ dollar', '% percnt', '& amp', "' apos", '( lpar', ') rpar', '* ast midast'],
    ...['+ plus', ', comma', '- hyphen dash', '. period', '/ sol', ': colon', '; semi', '< lt', '= equals', '> gt'],
    ...['? quest', '@ commat', '[ lsqb lbrack', '\\ bsol', '] rsqb rbrack', '^ hat', '_ lowbar underbar'],
    ...['` grave diacriticalgrave', '{ lcub lbrace', '| verbar vert verticalline', '} rcub rbrace', 'fj fjlig'],
    ...[' shy zwj zwnj zerowidthspace nobreak lrm rlm nbsp newline tab ensp emsp thinsp hairsp numsp puncsp af ic it'],
    ...[' applyfunction invisiblecomma invisibletimes negativethinspace negativemediumspace negativethickspace'],
  ].flatMap(line => {
    const [character = '', ...names] = line.split(' ');
    return names.map(name => [name, character] as const);
  }),
);

/**
 * The text with every occurrence of the key replaced: as `keyMatchers` find it, and each of these escaped for JSON, JavaScript, a
 * URL or HTML, or split by tags and invisible characters. Where the text is JSON, so is the result.
 */
export function redactKey(text: string, key: string): string {
  return runSteps(redactKeySteps(text, key));
}

/** As `redactKey`: a step for each search in a layer of escapes, and for so many of its escapes. */
export function* redactKeySteps(text: string, key: string): Steps<string> {
  if (key === '') return text;
  // A key that contains an escape differs in an unescaped text; it is looked for unless it is then too short.
  const inUnescaped = key.replace(escapes, unescaped);
  const matchers = [...new Set(inUnescaped.length < shortestForm ? [key] : [key, inUnescaped])].flatMap(keyMatchers);
  const layers = [text];
  let found: TextSpan[] = [];
  for (let depth = 0; depth < layers.length; depth++) {
    const layer = layers[depth] ?? '';
    let spans: TextSpan[] = [];
    for (const find of matchers) {
      spans = spans.concat(find(layer));
      yield;
    }
    spans = merged(spans);
    for (let below = depth - 1; below >= 0 && spans.length > 0; below--)
      spans = escapedSpans(layers[below] ?? '', spans);
    found = found.concat(spans);
    const below = depth < maxLayers && hasEscapes(layer) ? yield* unescapedSteps(layer) : layer;
    if (below !== layer) layers.push(below);
    yield;
  }
  return found.length === 0 ? text : withMasks(text, found);
}

/** The text without its outermost escapes. */
function* unescapedSteps(text: string): Steps<string> {
  let [below, at, steps] = ['', 0, 0];
  for (const token of text.matchAll(escapes)) {
    below += text.slice(at, token.index) + unescaped(...token);
    at = token.index + token[0].length;
    if (++steps % stepTexts === 0) yield;
  }
  return below + text.slice(at);
}

function hasEscapes(text: string): boolean {
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isAscii && !escapeMarks.some(mark => mark.test(text))) return false;
  return text.search(escapes) >= 0;
}

function unescaped(
  ...[token, unicode, point, byte, octal, other, decimal, hex, entity]: readonly (string | undefined)[]
): string {
  const code = unicode ?? point ?? byte ?? hex;
  if (code !== undefined) return characterOf(parseInt(code, 16));
  if (octal !== undefined) return characterOf(parseInt(octal, 8));
  if (decimal !== undefined) return characterOf(Number(decimal));
  if (entity !== undefined) return entities.get(entity.toLowerCase()) ?? token ?? '';
  return other === undefined || /[0bfnrtv]/.test(other) ? '' : other;
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Where parts of the unescaped text are in the text itself. The parts are in order and do not overlap. */
function escapedSpans(text: string, spans: readonly TextSpan[]): TextSpan[] {
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

/** In JSON each text, name and number that the key overlaps is masked separately, so that the structure stays valid. */
function withMasks(text: string, found: readonly TextSpan[]): string {
  const isJson = /^\s*[[{]/.test(text);
  let [redacted, at, isInText] = ['', 0, !isJson];
  for (const span of merged(found)) {
    if (span.end <= at) continue;
    let [start, end] = [Math.max(span.start, at), span.end];
    const before = text.slice(at, start);
    if (isJson) isInText = isInText === (betweenQuotes(before).length % 2 === 1);
    // An escape in which the key begins is masked as a whole.
    if (isInText) start -= /\\(?:u[\da-f]{0,3})?$/i.exec(before.replaceAll('\\\\', '  '))?.[0].length ?? 0;
    // Numbers are masked as a whole, by a text.
    else while (start > at && isInNumber(text, start - 1)) start--;
    const parts = isJson ? betweenQuotes(text.slice(start, end)) : [''];
    const masked = parts.map((part, index) =>
      isInText === (index % 2 === 0) ? mask : part.replace(/[^\s,:[\]{}]+/g, `"${mask}"`),
    );
    redacted += text.slice(at, start) + masked.join('"');
    isInText = isInText === (parts.length % 2 === 1);
    if (!isInText) while (isInNumber(text, end - 1) && isInNumber(text, end)) end++;
    else if (parts.at(-1)?.endsWith('\\')) end++;
    at = end;
  }
  return redacted + text.slice(at);
}

/** The parts between the quotes that begin and end texts. */
function betweenQuotes(json: string): string[] {
  return json.replace(/\\[^]/g, '').split('"');
}

function isInNumber(text: string, at: number): boolean {
  return /[\w.+-]/.test(text.charAt(at));
}

/** In order, with overlapping ones joined. */
function merged(spans: readonly TextSpan[]): TextSpan[] {
  const whole: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else whole.push({ start, end });
  }
  return whole;
}
