import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const stages = readFileSync(join(root, 'test', 'host', 'stages.ts'), 'utf8');

/** Lists scripts of `npm run` and stages of `npm test` that do not exist. */
export function findUnknownCommands(code: string): string[] {
  const run = [...code.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script = '']) => script);
  const requestedStages = [...code.matchAll(/npm test -- ([a-z ]*[a-z])/g)].flatMap(([, list = '']) => list.split(' '));
  const knownStages = [...stages.matchAll(/\{ name: '(\w+)'/g)].map(([, name]) => name);
  return [
    ...run.filter(script => !(script in scripts)),
    ...requestedStages.filter(stage => !knownStages.includes(stage)),
  ];
}
