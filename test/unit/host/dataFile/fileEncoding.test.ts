import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { vscode } from '../../../support/fakeVscode.ts';

import { standardEncoding } from '../../../../src/core/dataFile/importOptionsSchema.ts';

const { configuredEncoding, listEncodings } = await import('../../../../src/host/dataFile/fileEncoding.ts');

describe('the encoding of a data file by the setting files.encoding', () => {
  const { getConfiguration } = vscode.workspace;
  afterEach(() => Object.assign(vscode.workspace, { getConfiguration }));

  const file = new vscode.Uri('/data/hours.csv') as unknown as Uri;
  const encodingFor = (id: unknown): string | undefined => {
    const get = (name: string): unknown => (name === 'encoding' ? id : undefined);
    const configuration = (section: string, scope: unknown) => (section === 'files' && scope === file ? { get } : {});
    Object.assign(vscode.workspace, { getConfiguration: configuration });
    return configuredEncoding(file);
  };

  for (const [id, encoding] of [
    ['windows1252', 'windows-1252'],
    ['windows1250', 'windows-1250'],
    ['iso88592', 'iso-8859-2'],
    ['iso885915', 'iso-8859-15'],
    ['utf16le', 'utf-16le'],
    ['utf16be', 'utf-16be'],
    ['macroman', 'macintosh'],
    ['koi8r', 'koi8-r'],
    ['cp866', 'ibm866'],
    ['gb18030', 'gb18030'],
    ['gbk', 'gbk'],
    ['cp950', 'big5'],
    ['big5hkscs', 'big5'],
    ['shiftjis', 'shift_jis'],
    ['eucjp', 'euc-jp'],
    ['euckr', 'euc-kr'],
  ])
    it(`reads a file as ${encoding} if the encoding setting is ${id}`, () => assert.equal(encodingFor(id), encoding));

  for (const id of ['utf8', 'utf8bom', 'cp437', 'koi8t', '', undefined, 7])
    it(`uses no encoding of the settings if it is ${String(id)}`, () => assert.equal(encodingFor(id), undefined));

  it('offers only encodings that TextDecoder knows', () => {
    for (const { value } of listEncodings()) assert.equal(standardEncoding(value), value);
  });
});
