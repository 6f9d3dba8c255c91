import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/paths.ts';

const paths = ['src/host/tools', 'src/core/summary'].flatMap(folder =>
  readdirSync(join(root, folder)).map(name => `${folder}/${name}`),
);
const sources = [...paths, 'src/host/tools/publicApi.ts', 'src/host/tools/queryTool.ts'];

describe('tools and the exported API', () => {
  it('neither read nor set a key, a part of a key or an address', () => {
    assert.ok(sources.length > 8);
    const reach =
      /\bkeyOf\b|keyPrefix|baseUrl|secrets?\b|\.(?:add|replaceKey|mark|setLimits)\(|from .*(?:apiKey|endpoint)\.ts/;
    const forbiddenUses = sources.flatMap(path => {
      const line = readFileSync(join(root, path), 'utf8')
        .split('\n')
        .find(text => reach.test(text));
      return line === undefined ? [] : [`${path}: ${line}`];
    });
    assert.deepEqual(forbiddenUses, []);
  });
});
