import { getHatch, hatchTile, type Fill, type Shape, type Sink, type Trace } from './scene.ts';

/** The attributes and metadata of an SVG document. */
export interface SvgOptions {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly description: string;
  readonly background: string;
  readonly font: string;
}

/** Serializes shapes as an SVG document of vectors and text, without scripts, style sheets or external references. */
export function serializeSvg(shapes: readonly Shape[], options: SvgOptions): string {
  const definitions: string[] = [];
  const body = shapes.map(shape => serializeShape(shape, definitions)).join('\n');
  const { width, height } = options;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${escapeXml(options.font)}">
<title>${escapeXml(options.title)}</title>
<desc>${escapeXml(options.description)}</desc>
<defs>${definitions.join('')}</defs>
<rect width="${width}" height="${height}" fill="${options.background}"/>
${body}
</svg>
`;
}

function serializeShape(shape: Shape, definitions: string[]): string {
  switch (shape.kind) {
    case 'path': {
      const path = serializePath(shape.trace);
      if (path === '') return '';
      const { stroke, fill } = shape;
      const dash = stroke?.dash.length ? ` stroke-dasharray="${stroke.dash.join(' ')}"` : '';
      const line = stroke
        ? ` stroke="${stroke.color}" stroke-width="${round(stroke.width)}" stroke-linejoin="round"${dash}`
        : '';
      const area = fill ? ` fill="${fill.color}" fill-opacity="${fill.opacity}"` : ' fill="none"';
      const hatch = fill?.hatch && getHatch(fill.hatch.index) ? serializeHatch(path, fill.hatch, definitions) : '';
      return `<path d="${path}"${area}${line}/>${hatch}`;
    }
    case 'text': {
      const { color, size, anchor, bold, halo } = shape.style;
      const outline = halo ? ` stroke="${halo}" stroke-width="3" paint-order="stroke"` : '';
      const weight = bold ? ' font-weight="600"' : '';
      const position = `x="${round(shape.position.x)}" y="${round(shape.position.y)}"`;
      return `<text ${position} dy="0.35em" font-size="${size}" text-anchor="${anchor}" fill="${color}"${weight}${outline}>${escapeXml(shape.text)}</text>`;
    }
    case 'clip': {
      const { x, y, width, height } = shape.box;
      const id = `clip${definitions.length}`;
      definitions.push(
        `<clipPath id="${id}"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/></clipPath>`,
      );
      return `<g clip-path="url(#${id})">\n${shape.shapes.map(innerShape => serializeShape(innerShape, definitions)).join('\n')}\n</g>`;
    }
  }
}

function serializeHatch(path: string, { index, color }: NonNullable<Fill['hatch']>, definitions: string[]): string {
  const id = `hatch${definitions.length}`;
  definitions.push(
    `<pattern id="${id}" width="${hatchTile}" height="${hatchTile}" patternUnits="userSpaceOnUse"><path d="${getHatch(index)}" stroke="${color}"/></pattern>`,
  );
  return `<path d="${path}" fill="url(#${id})"/>`;
}

/** Serializes a trace as the `d` attribute of a path. */
export function serializePath(trace: Trace): string {
  const sink = new PathSerializer();
  trace(sink);
  return sink.text();
}

/** Collects the commands of a path as a `d` attribute, rounded to a hundredth of a pixel. */
class PathSerializer implements Sink {
  readonly #parts: string[] = [];

  moveTo(x: number, y: number): void {
    this.#parts.push(`M${round(x)} ${round(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#parts.push(`L${round(x)} ${round(y)}`);
  }

  closePath(): void {
    this.#parts.push('Z');
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(`M${round(x)} ${round(y)}h${round(width)}v${round(height)}H${round(x)}Z`);
  }

  text(): string {
    return this.#parts.join('');
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

/** Escapes a text for XML. Control characters, which are not valid XML, are removed. */
function escapeXml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      // Lone surrogates are not valid XML.
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
