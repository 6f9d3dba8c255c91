import assert from 'node:assert/strict';
import { createFolder, createQuery, formatTree } from './trees.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import { filterTree } from '../../../../src/core/savedQueries/walk.ts';

const getTitle = (dataset: string): string => findDataset(dataset)?.title ?? dataset;
const stress = { dataset: 'gridStress', range: 'last 7 days', interval: '1h', params: {}, timeZone: 'UTC' };
const tree = [
  createFolder(
    'morning',
    [createQuery('a', { name: 'Ramps' }), createQuery('b', { name: 'Index', query: stress })],
    'Môrning',
  ),
  createQuery('c', { name: 'Wind' }),
];

describe('filtering saved queries', () => {
  const cases: readonly [string, string][] = [
    ['', 'morning(a b) c'],
    ['wind', 'c'],
    ['GRID stress', 'morning(b)'],
    ['7 days', 'morning(b)'],
    ['hours', 'morning(a) c'],
    ['morning', 'morning(a b)'],
    ['morning index', 'morning(b)'],
    ['index wind', ''],
  ];
  for (const [text, expected] of cases) {
    it(`finds "${text}"`, () => assert.equal(formatTree(filterTree(tree, text, getTitle)), expected));
  }

  it('returns the same tree for an empty text', () => assert.equal(filterTree(tree, '  ', getTitle), tree));
});
