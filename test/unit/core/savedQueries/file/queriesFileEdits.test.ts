import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addItems,
  changeQuery,
  moveItems,
  changeNote,
  renameItem,
  removeItems,
} from '../../../../../src/core/savedQueries/edit.ts';
import { parseQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFile.ts';
import { replacementBetween, editQueriesFile } from '../../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import type { SavedTree } from '../../../../../src/core/savedQueries/savedItem.ts';
import { allIds, allQueries } from '../../../../../src/core/savedQueries/walk.ts';
import { createFolder, createQuery, createIdGenerator, applyTreeEdit, treeEdits } from '../trees.ts';
import { scaleRunCount } from '../../../../support/runCount.ts';

const file = `// Questions of the control room
{
  "queries": [
    // every morning
    {
      "folder": "Morning", // at six
      "id": "m",
      "queries": [
        // the index
        { "name": "Stress", "dataset": "gridStress", "range": "last 24 hours", "id": "s" }, // look here
        { "name": "Not readable", "dataset": "none" },
        {
          "name": "Ramps",
          // a week
          "dataset": "systemState",
          "range": "last 7 days",
          "x-note": 1,
          "id": "r"
        }
      ]
    },

    // All about wind

    { "name": "Wind", "dataset": "systemState", "range": "today" }
  ]
}
`;

function applyEdit(text: string | undefined, change: (tree: SavedTree) => SavedTree): string {
  const result = editQueriesFile(text, change);
  assert.ok(result.ok);
  const newText = result.text;
  assert.deepEqual(parseQueriesFile(newText).tree, result.tree, newText);
  return newText;
}

function replaceOnce(from: string, to: string): string {
  assert.equal(file.split(from).length, 2, from);
  return file.replace(from, to);
}

describe('editQueriesFile', () => {
  it('adds a note to a block, removes it again, and reads it back', () => {
    const text = '{ "queries": [\n  { "name": "A", "dataset": "systemState", "range": "today", "id": "a" }\n] }\n';
    const withNote = applyEdit(text, tree => changeNote(tree, 'a', 'Colder.\n"OCGT" ran.'));
    assert.match(withNote, /"note": "Colder\.\\n\\"OCGT\\" ran\."/);
    assert.equal(parseQueriesFile(withNote).tree[0]?.note, 'Colder.\n"OCGT" ran.');
    assert.equal(
      applyEdit(withNote, tree => changeNote(tree, 'a', ' ')),
      text,
    );
    const long = text.replace('"id"', `"note": "${'x'.repeat(5_001)}", "id"`);
    const parsed = parseQueriesFile(long);
    assert.deepEqual([parsed.tree[0]?.note, parsed.problems.map(({ code }) => code)], [undefined, ['longNote']]);
  });

  it('changes only the name in a rename, and writes a missing id', () => {
    assert.equal(
      applyEdit(file, tree => renameItem(tree, 'r', 'OCGT "ramps"')),
      replaceOnce('"Ramps"', '"OCGT \\"ramps\\""'),
    );
    const wind = allQueries(parseQueriesFile(file).tree).find(({ name }) => name === 'Wind')?.id ?? '';
    assert.equal(
      applyEdit(file, tree => renameItem(tree, wind, 'PV')),
      replaceOnce(
        '"Wind", "dataset": "systemState", "range": "today"',
        `"PV", "dataset": "systemState", "range": "today", "id": "${wind}"`,
      ),
    );
  });

  it('adds and removes fields in their usual order', () => {
    const alerts = [{ id: 'x', kind: 'late', on: true } as const];
    const withFields = applyEdit(file, tree => changeQuery(tree, 'r', { connection: 'Prod', keepFresh: true, alerts }));
    const added = `"range": "last 7 days",
          "connection": "Prod",
          "keepFresh": true,
          "alerts": [
            { "kind": "late", "id": "x" }
          ],
          "x-note": 1,`;
    assert.equal(withFields, replaceOnce('"range": "last 7 days",\n          "x-note": 1,', added));
    assert.equal(
      applyEdit(withFields, tree =>
        changeQuery(tree, 'r', { connection: undefined, keepFresh: undefined, alerts: undefined }),
      ),
      file,
    );
  });

  it('keeps comments and unknown fields of a view when another field changes, and its comments when it changes', () => {
    const view = `{ /* mine */ "numbers": "full", "x-later": [1] }`;
    const withDisplay = replaceOnce('"x-note": 1,', `"x-note": 1,\n          "display": ${view},`);
    assert.equal(
      applyEdit(withDisplay, tree => changeQuery(tree, 'r', { keepFresh: undefined })),
      withDisplay,
    );
    const withKeepFresh = applyEdit(withDisplay, tree => changeQuery(tree, 'r', { keepFresh: true }));
    assert.ok(withKeepFresh.includes(`"display": ${view}`) && withKeepFresh.includes('"keepFresh": true'));
    const chart = { mode: 'a "b"' };
    const changed = applyEdit(withDisplay, tree =>
      changeQuery(tree, 'r', { display: { chart, numbers: 'plain', 'x-later': [1] } }),
    );
    const displayText = `{ "chart": { "mode": "a \\"b\\"" }, /* mine */ "numbers": "plain", "x-later": [1] }`;
    assert.equal(changed, withDisplay.replace(view, displayText));
    assert.equal(
      applyEdit(changed, tree => changeQuery(tree, 'r', { display: undefined })),
      file,
    );
  });

  it('keeps comments in a multi-line view, and writes a long one on separate lines', () => {
    const lines = ['// as in the report', '"resample": "day", // not hours', '"missing": true'];
    const view = `{\n            ${lines.join('\n            ')}\n          }`;
    const withAnalysis = replaceOnce('"x-note": 1,', `"x-note": 1,\n          "analysis": ${view},`);
    const newAnalysis = { resample: 'day', where: { wind_mw: '>1' } } as const;
    const changed = applyEdit(withAnalysis, tree => changeQuery(tree, 'r', { analysis: newAnalysis }));
    for (const line of ['// as in the report', '// not hours', '"where": { "wind_mw": ">1" }'])
      assert.ok(changed.includes(line), changed);
    assert.ok(!changed.includes('"missing"'));
    const long = {
      selectedColumn: '1'.repeat(70),
      chart: { mode: 'mix', columns: [], hidden: [], picked: {} },
    };
    const withDisplay = applyEdit(file, tree => changeQuery(tree, 'r', { display: long }));
    assert.match(withDisplay, /^ {10}"display": \{\n {12}"selectedColumn": "1+",\n {12}"chart": \{ .+ \}\n {10}\},$/m);
  });

  it('moves a block with its comments, and leaves the comments of the file', () => {
    const moved = applyEdit(file, tree => moveItems(tree, ['s'], { before: 'm' }));
    assert.ok(
      moved.startsWith(`// Questions of the control room
{
  "queries": [
    // the index
    { "name": "Stress", "dataset": "gridStress", "range": "last 24 hours", "id": "s" }, // look here
    // every morning
    {
      "folder": "Morning", // at six
      "id": "m",
      "queries": [
        { "name": "Not readable", "dataset": "none" },
`),
      moved,
    );
    const last = applyEdit(file, tree => moveItems(tree, ['s'], {}));
    assert.ok(
      last.endsWith(`
    { "name": "Wind", "dataset": "systemState", "range": "today" },
    // the index
    { "name": "Stress", "dataset": "gridStress", "range": "last 24 hours", "id": "s" } // look here
  ]
}
`),
      last,
    );
    const wind = allQueries(parseQueriesFile(file).tree).at(-1)?.id ?? '';
    assert.match(
      applyEdit(file, tree => removeItems(tree, [wind]).tree),
      /\n {4}\},\s+\/\/ All about wind\s+\]\n\}\n$|\n {4}\}\s+\/\/ All about wind\s+\]\n\}\n$/,
    );
  });

  it('indents each line of a moved block for its new position', () => {
    const moved = applyEdit(file, tree => moveItems(tree, ['r'], {}));
    const block = `
    {
      "name": "Ramps",
      // a week
      "dataset": "systemState",
      "range": "last 7 days",
      "x-note": 1,
      "id": "r"
    }
  ]
}
`;
    assert.ok(moved.endsWith(block), moved);
  });

  it('indents a new block like the first one of its list, or one level deeper than an inline list', () => {
    const firstBlock = '{ "name": "A", "dataset": "systemState", "range": "today", "id": "one" }';
    const addQuery = (text: string): string => applyEdit(text, tree => addItems(tree, [createQuery('a')], {}));
    const expanded = addQuery(`{\n  "queries": [\n        ${firstBlock}\n  ]\n}\n`);
    assert.ok(expanded.includes('\n        {\n          "name": "Query a",'), expanded);
    const inLine = addQuery(`{\n  "queries": [${firstBlock}]\n}\n`);
    assert.ok(inLine.includes('\n    {\n      "name": "Query a",'), inLine);
  });

  it('moves within a list without changing the other blocks', () => {
    const moved = applyEdit(file, tree => moveItems(tree, ['r'], { folder: 'm', before: 's' }));
    for (const line of file.split('\n').filter(text => text.includes('//'))) assert.ok(moved.includes(line), line);
    assert.equal(moved.length, file.length);
  });

  it('creates a file, a list, and the list of a folder without one', () => {
    const text = applyEdit(undefined, () => [createFolder('f', [createQuery('a')], 'F')]);
    assert.equal(
      text,
      `{
  "queries": [
    {
      "folder": "F",
      "id": "f",
      "queries": [
        {
          "name": "Query a",
          "dataset": "systemState",
          "range": "last 24 hours",
          "interval": "1h",
          "id": "a"
        }
      ]
    }
  ]
}
`,
    );
    for (const empty of [
      '{}',
      '{ "$schema": "x" }',
      '{\n  "queries": []\n}',
      '{ "queries": [ // none\n ] }',
      '{"queries":[{"folder":"F","id":"f"}]}',
      '// c',
    ])
      applyEdit(empty, tree => addItems(tree, [createQuery('a')], { folder: tree[0]?.id }));
  });

  it('keeps tabs and line ends', () => {
    const windows = file.replaceAll('\n', '\r\n').replaceAll('  ', '\t');
    const text = applyEdit(windows, tree => addItems(tree, [createQuery('a')], { folder: 'm' }));
    assert.ok(!/[^\r]\n/.test(text));
    assert.ok(text.includes('\r\n\t\t\t\t{\r\n\t\t\t\t\t"name": "Query a",'), JSON.stringify(text));
  });

  it('does not edit invalid JSON, or write an API key', () => {
    assert.deepEqual(
      editQueriesFile(`${file}}`, tree => renameItem(tree, 's', 'x')),
      { ok: false, problem: 'notJson' },
    );
    assert.deepEqual(
      editQueriesFile('[]', () => [createQuery('a')]),
      { ok: false, problem: 'notJson' },
    );
    const query = { dataset: 'systemState', range: 'today', interval: '1h', params: { api_key: 'x' }, timeZone: 'UTC' };
    assert.deepEqual(
      editQueriesFile(file, tree => changeQuery(tree, 's', { query })),
      {
        ok: false,
        problem: 'keyLike',
        part: 'api_key',
      },
    );
  });

  it('renames a folder even if the existing name of a query in it looks like a key', () => {
    const text = replaceOnce(
      '{ "name": "Not readable", "dataset": "none" }',
      '{ "folder": "sb_test_0123456789abcdef" }',
    );
    assert.match(
      applyEdit(text, tree => renameItem(tree, 'm', 'Early')),
      /"folder": "Early"/,
    );
  });

  it('returns the same text without a change', () => {
    assert.deepEqual(
      editQueriesFile(file, tree => renameItem(tree, 's', 'Stress')),
      {
        ok: true,
        text: file,
        tree: parseQueriesFile(file).tree,
      },
    );
  });

  it('changes one block of 2,000 in 50 folders for a rename', () => {
    const folders = Array.from({ length: 50 }, (_, f) =>
      createFolder(
        `f${f}`,
        Array.from({ length: 40 }, (_unused, q) => createQuery(`q${f}-${q}`)),
      ),
    );
    const text = applyEdit(undefined, () => folders);
    const result = editQueriesFile(text, tree => renameItem(tree, 'q25-20', 'Another'));
    assert.ok(result.ok);
    const block = parseQueriesFile(text).blocks.get('q25-20');
    assert.ok(block);
    const { start, end } = replacementBetween(text, result.text);
    assert.ok(start > block.offset && end < block.offset + block.length);
    assert.equal(result.text, text.replace('"Query q25-20"', '"Another"'));
  });

  it('deletes the comments of a removed item, and no others', () => {
    const remaining = applyEdit(file, tree => removeItems(tree, ['s']).tree);
    assert.deepEqual(
      listComments(remaining),
      listComments(file).filter(comment => !['// the index', '// look here'].includes(comment)),
    );
  });

  const styles = [
    file,
    file.replaceAll('\n', '\r\n'),
    file.replaceAll(/\n\s*(?=[{"\]}])/g, ' '),
    file.replaceAll(/,(?= \/\/|\n)/g, '\n,'),
    '',
    '{"queries":[]}',
  ];
  for (const [index, text] of styles.entries()) {
    it(`applies tree edits to the text, and deletes no comment unless an item is removed (${index})`, () => {
      fc.assert(
        fc.property(fc.array(treeEdits, { maxLength: 25 }), edits => {
          const newId = createIdGenerator();
          let current = text;
          for (const edit of edits) {
            const comments = listComments(current);
            let left = 0;
            current = applyEdit(current, tree => {
              const newTree = applyTreeEdit(tree, edit, newId);
              const ids = allIds(newTree);
              left = [...allIds(tree)].filter(id => !ids.has(id)).length;
              return newTree;
            });
            if (left === 0) assert.deepEqual(listComments(current), comments);
          }
        }),
        { numRuns: scaleRunCount(60) },
      );
    });
  }
});

/** Lists all comments alphabetically, because each block keeps its own. */
function listComments(text: string): string[] {
  return [...text.matchAll(/\/\/ [a-zA-Z ]+/g)].map(([comment]) => comment.trim()).sort();
}
