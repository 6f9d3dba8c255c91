/**
 * The rules and the font of codicons with the icons that some code can show: those whose name begins a text in it or stands behind
 * `codicon-`, and those whose character is one of its escapes (`\eab2`). The others, some 500, keep their place in the font, empty.
 */
export function keepIcons(css, font, code) {
  const names = new Set(code.replaceAll('codicon-', '"').match(/(?<=["'`])[\w-]+/g));
  const characters = new Set([...code.matchAll(/\\([ef][0-9a-f]{3})\b/g)].map(([, digits]) => parseInt(digits, 16)));
  const kept = css.replace(/^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm, (rule, name, digits) => {
    if (!names.has(name)) return '';
    characters.add(parseInt(digits, 16));
    return rule;
  });
  return { css: kept, font: keepOutlines(font, characters) };
}

/** Of a TrueType font. Throws where one of the outlines refers to others, which would be lost. */
function keepOutlines(font, characters) {
  const tables = tablesOf(font);
  const [cmap, glyf, head, loca] = ['cmap', 'glyf', 'head', 'loca'].map(tag => tables.get(tag));
  const isLong = head.readInt16BE(50) === 1;
  const startOf = glyph => (isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph));
  // The first is what is shown for a character that the font does not have.
  const kept = new Set([0, ...[...characters].map(character => glyphOf(cmap, character))]);
  const starts = Buffer.alloc(loca.length);
  const outlines = [];
  for (let glyph = 0, end = 0; glyph < loca.length / (isLong ? 4 : 2) - 1; glyph++) {
    const outline = glyf.subarray(startOf(glyph), startOf(glyph + 1));
    if (kept.has(glyph) && outline.length > 0) {
      if (outline.readInt16BE(0) < 0) throw new Error(`Icon ${glyph} of the font is made of other icons.`);
      outlines.push(outline);
      end += outline.length;
    }
    if (isLong) starts.writeUInt32BE(end, 4 * (glyph + 1));
    else starts.writeUInt16BE(end / 2, 2 * (glyph + 1));
  }
  // Version 3 of this table has no names of glyphs.
  const post = Buffer.from(tables.get('post').subarray(0, 32));
  post.writeUInt32BE(0x00030000);
  tables.set('glyf', Buffer.concat(outlines)).set('loca', starts).set('post', post);
  return fontOf(font.subarray(0, 12), tables);
}

/** The tables of a font by their tags, in the order of its directory. */
function tablesOf(font) {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, at) => {
    const entry = font.subarray(12 + 16 * at, 28 + 16 * at);
    const start = entry.readUInt32BE(8);
    return [entry.toString('latin1', 0, 4), font.subarray(start, start + entry.readUInt32BE(12))];
  });
  return new Map(entries);
}

/** By the table of whole ranges (format 12). 0 where the font does not have the character. */
function glyphOf(cmap, character) {
  for (let table = 0; table < cmap.readUInt16BE(2); table++) {
    const ranges = cmap.subarray(cmap.readUInt32BE(8 + 8 * table));
    if (ranges.readUInt16BE(0) !== 12) continue;
    for (let at = 16; at < 16 + 12 * ranges.readUInt32BE(12); at += 12) {
      const first = ranges.readUInt32BE(at);
      if (character >= first && character <= ranges.readUInt32BE(at + 4))
        return ranges.readUInt32BE(at + 8) + character - first;
    }
  }
  return 0;
}

function fontOf(header, tables) {
  const parts = [header];
  const bodies = [];
  let start = 12 + 16 * tables.size;
  for (const [tag, table] of tables) {
    const body = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    const entry = Buffer.alloc(16);
    entry.write(tag, 'latin1');
    entry.writeUInt32BE(checksum(body), 4);
    entry.writeUInt32BE(start, 8);
    entry.writeUInt32BE(table.length, 12);
    parts.push(entry);
    bodies.push(body);
    start += body.length;
  }
  return Buffer.concat([...parts, ...bodies]);
}

function checksum(body) {
  let sum = 0;
  for (let at = 0; at < body.length; at += 4) sum = (sum + body.readUInt32BE(at)) >>> 0;
  return sum;
}
