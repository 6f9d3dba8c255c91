// `npm run bench`: runs every *.bench.ts in this folder and prints its figures. `npm run bench -- limiter` runs only matching files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench, Figure } from './bench.ts';

const requested = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith('.bench.ts'))
  .filter(file => requested.length === 0 || requested.some(name => file.startsWith(name)))
  .sort();

let missedBounds = 0;
for (const file of files) {
  const { bench } = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as { bench: Bench };
  console.log(`\n${file.replace('.bench.ts', '')}`);
  const figures = await bench();
  const width = Math.max(...figures.map(({ label }) => label.length));
  for (const figure of figures) {
    const [bound, holds] = checkBound(figure);
    if (!holds) missedBounds += 1;
    console.log(`  ${figure.label.padEnd(width)}  ${formatAmount(figure).padStart(14)}  ${bound}`);
  }
}
if (missedBounds > 0) console.log(`\n${missedBounds} of the bounds missed (a busy machine misses some)`);
// Exits explicitly, since the shared browser would keep the process alive.
process.exit(missedBounds > 0 ? 1 : 0);

function formatAmount({ value, unit }: Figure): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
}

/** Returns the bound as text with the ratio to it, and whether it holds. */
function checkBound({ value, atLeast, atMost }: Figure): readonly [string, boolean] {
  const bound = atLeast ?? atMost;
  if (bound === undefined) return ['', true];
  const holds = atLeast === undefined ? value <= bound : value >= bound;
  const ratio = bound === 0 ? '' : `, ${(value / bound).toFixed(2)} of it`;
  return [`${holds ? 'ok ' : 'NOT'} ${atLeast === undefined ? 'at most' : 'at least'} ${bound}${ratio}`, holds];
}
