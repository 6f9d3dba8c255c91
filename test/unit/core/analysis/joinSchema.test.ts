import assert from 'node:assert/strict';
import * as v from 'valibot';
import { joinSchema, parsePanelAnalysis } from '../../../../src/core/analysis/analysisSchema.ts';

const sha256 = '0123456789abcdef'.repeat(4);
const isValid = (source: object): boolean => v.is(joinSchema, [source]);
const isValidPath = (path: string): boolean => isValid({ kind: 'file', path, sha256 });

describe('the schema of joined sources', () => {
  it('accepts paths in the workspace folder, and local files outside', () => {
    for (const path of [
      'plant.csv',
      'meters/plant 1.csv',
      'a..b/c.csv',
      '..plant.csv',
      'méters/plänt.csv',
      'file:///home/me/plant.csv',
      'file:///c%3A/meters/plant.csv',
    ])
      assert.ok(isValidPath(path), path);
  });

  it('rejects paths that leave the folder or name another computer', () => {
    for (const path of [
      '',
      '/etc/passwd',
      '../plant.csv',
      'meters/../../plant.csv',
      'meters/..',
      '..',
      '\\\\host\\share\\plant.csv',
      'meters\\..\\plant.csv',
      'c:\\plant.csv',
      '//host/share/plant.csv',
      'file://host/share/plant.csv',
      'file:////host/share/plant.csv',
      'file:///%5C%5Chost/share',
      'http://host/plant.csv',
      'vscode-remote://host/plant.csv',
      'FILE://host/plant.csv',
      'x\n/../../plant.csv',
      'file:///a%zz.csv',
      'file:///a%2Fb.csv',
      'x'.repeat(1_001),
    ])
      assert.equal(isValidPath(path), false, path);
  });

  it('rejects a hash that is none, unknown kinds and too many sources', () => {
    assert.equal(isValid({ kind: 'file', path: 'plant.csv', sha256: 'abc' }), false);
    assert.equal(isValid({ kind: 'file', path: 'plant.csv', sha256, options: { hour: 'middle' } }), false);
    assert.equal(isValid({ kind: 'command', path: 'plant.csv' }), false);
    assert.equal(
      v.is(
        joinSchema,
        Array.from({ length: 6 }, () => ({ kind: 'installedCapacity' })),
      ),
      false,
    );
  });

  it('is a part of the analysis that a panel stores', () => {
    const join = [
      { kind: 'file', path: 'plant.csv', sha256, options: { timeZone: 'Africa/Johannesburg', hour: 'end' } },
      {
        kind: 'query',
        name: 'Other',
        dataset: 'systemState',
        interval: '1h',
        params: {},
        connection: 'Grid',
        derive: [{ name: 'a', formula: 'wind_mw' }],
      },
      { kind: 'installedCapacity' },
    ];
    assert.deepEqual(parsePanelAnalysis({ join }), { join });
  });
});
