// `npm run bench`: runs every *.bench.ts beside this file and prints their figures. `npm run bench -- limiter` runs only those.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench, Figure } from './bench.ts';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.bench.ts'))
  .filter(file => wanted.length === 0 || wanted.some(name => file.startsWith(name)))
  .sort();

let fallenShort = 0;
for (const file of files) {
  const { bench } = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as { bench: Bench };
  console.log(`\n${file.replace('.bench.ts', '')}`);
  const figures = await bench();
  const width = Math.max(...figures.map(({ what }) => what.length));
  for (const figure of figures) {
    const [bound, holds] = verdict(figure);
    if (!holds) fallenShort += 1;
    console.log(`  ${figure.what.padEnd(width)}  ${amount(figure).padStart(14)}  ${bound}`);
  }
}
if (fallenShort > 0) console.log(`\n${fallenShort} of the bounds missed (a busy machine misses some)`);
// The shared browser ends with the process, and keeps it from ending by itself.
process.exit(fallenShort > 0 ? 1 : 0);

function amount({ value, unit }: Figure): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
}

/** The bound in words with the ratio to it, and whether it holds. */
function verdict({ value, atLeast, atMost }: Figure): readonly [string, boolean] {
  const bound = atLeast ?? atMost;
  if (bound === undefined) return ['', true];
  const holds = atLeast === undefined ? value <= bound : value >= bound;
  const ratio = bound === 0 ? '' : `, ${(value / bound).toFixed(2)} of it`;
  return [`${holds ? 'ok ' : 'NOT'} ${atLeast === undefined ? 'at most' : 'at least'} ${bound}${ratio}`, holds];
}
