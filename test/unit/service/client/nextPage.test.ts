import assert from 'node:assert/strict';
import { parseNextPage } from '../../../../src/service/client/responseFetcher.ts';
import { readNextLink } from '../../../../src/service/client/readResponse.ts';

const path = '/api/v1/grid/system-state';
const page2 = { kind: 'page', query: [['page', '2']] };

describe('parseNextPage', () => {
  for (const body of [null, 5, [], [{ next: '?page=2' }], {}, { next: null }, { next: '' }, { next: false }])
    it(`finds no next page in ${JSON.stringify(body)}`, () => {
      assert.deepEqual(parseNextPage(readNextLink(body), path), { kind: 'none' });
    });

  for (const next of [
    ...['?page=2', `${path}?page=2`, `${path}/?page=2`, `https://api.example.org${path}?page=2`],
    ...[
      `https://evil.example.org${path}?page=2`,
      `http://api.example.org${path}?page=2`,
      `//evil.example.org${path}?page=2`,
    ],
    ...[`https://user:word@evil.example.org:8443/prefix${path}?page=2#part`],
  ])
    it(`uses only the parameters of ${next}`, () => {
      assert.deepEqual(parseNextPage(readNextLink({ next }), path), page2);
    });

  it('keeps the order of decoded parameters, also repeated ones', () => {
    const next = '?cursor=a%2Bb%3D%3D&start=2023-05-01T00%3A00%3A00Z&x=1&x=2';
    assert.deepEqual(parseNextPage(readNextLink({ next }), path), {
      kind: 'page',
      query: [
        ['cursor', 'a+b=='],
        ['start', '2023-05-01T00:00:00Z'],
        ['x', '1'],
        ['x', '2'],
      ],
    });
  });

  for (const next of [
    ...['/api/v1/other?page=2', '/?page=2', 'https://evil.example.org?page=2', `${path}/more?page=2`, 'page=2'],
    ...[
      path,
      `https://api.example.org${path}`,
      `${path}?`,
      `${path}#?page=2`,
      'https://[bad?page=2',
      'javascript:1?page=2',
    ],
    ...[`${path}/../../keys?page=2`],
  ])
    it(`follows no link ${next}`, () => {
      assert.deepEqual(parseNextPage(readNextLink({ next }), path), { kind: 'elsewhere' });
    });

  it('treats a link that is not a string as a page that cannot be followed', () => {
    for (const next of [2, true, { page: 2 }, ['?page=2'], `?page=${'2'.repeat(10_000)}`])
      assert.deepEqual(parseNextPage(readNextLink({ next }), path), { kind: 'elsewhere' });
  });
});
