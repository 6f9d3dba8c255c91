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
import { aFolder, aQuery, counter, perform, steps } from '../trees.ts';
import { manyRuns } from '../../../../support/manyRuns.ts';

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

function edited(text: string | undefined, change: (tree: SavedTree) => SavedTree): string {
  const result = editQueriesFile(text, change);
  assert.ok(result.ok);
  const next = result.text;
  assert.deepEqual(parseQueriesFile(next).tree, result.tree, next);
  return next;
}

function replaced(from: string, to: string): string {
  assert.equal(file.split(from).length, 2, from);
  return file.replace(from, to);
}

describe('editing a file of queries', () => {
  it('writes a note into a block, takes it away again, and reads it back', () => {
    const text = '{ "queries": [\n  { "name": "A", "dataset": "systemState", "range": "today", "id": "a" }\n] }\n';
    const noted = edited(text, tree => changeNote(tree, 'a', 'Colder.\n"OCGT" ran.'));
    assert.match(noted, /"note": "Colder\.\\n\\"OCGT\\" ran\."/);
    assert.equal(parseQueriesFile(noted).tree[0]?.note, 'Colder.\n"OCGT" ran.');
    assert.equal(
      edited(noted, tree => changeNote(tree, 'a', ' ')),
      text,
    );
    const long = text.replace('"id"', `"note": "${'x'.repeat(5_001)}", "id"`);
    const read = parseQueriesFile(long);
    assert.deepEqual([read.tree[0]?.note, read.problems.map(({ code }) => code)], [undefined, ['longNote']]);
  });

  it('changes only the name in a rename, and writes a missing id', () => {
    assert.equal(
      edited(file, tree => renameItem(tree, 'r', 'OCGT "ramps"')),
      replaced('"Ramps"', '"OCGT \\"ramps\\""'),
    );
    const wind = allQueries(parseQueriesFile(file).tree).find(({ name }) => name === 'Wind')?.id ?? '';
    assert.equal(
      edited(file, tree => renameItem(tree, wind, 'PV')),
      replaced(
        '"Wind", "dataset": "systemState", "range": "today"',
        `"PV", "dataset": "systemState", "range": "today", "id": "${wind}"`,
      ),
    );
  });

  it('adds and removes fields in their usual order', () => {
    const alerts = [{ id: 'x', kind: 'late', on: true } as const];
    const more = edited(file, tree => changeQuery(tree, 'r', { connection: 'Prod', keepFresh: true, alerts }));
    const added = `"range": "last 7 days",
          "connection": "Prod",
          "keepFresh": true,
          "alerts": [
            { "kind": "late", "id": "x" }
          ],
          "x-note": 1,`;
    assert.equal(more, replaced('"range": "last 7 days",\n          "x-note": 1,', added));
    assert.equal(
      edited(more, tree => changeQuery(tree, 'r', { connection: undefined, keepFresh: undefined, alerts: undefined })),
      file,
    );
  });

  it('keeps comments and unknown fields of a view while another field changes, and its comments when it changes', () => {
    const view = `{ /* mine */ "numbers": "full", "x-later": [1] }`;
    const own = replaced('"x-note": 1,', `"x-note": 1,\n          "display": ${view},`);
    assert.equal(
      edited(own, tree => changeQuery(tree, 'r', { keepFresh: undefined })),
      own,
    );
    const fresh = edited(own, tree => changeQuery(tree, 'r', { keepFresh: true }));
    assert.ok(fresh.includes(`"display": ${view}`) && fresh.includes('"keepFresh": true'));
    const chart = { mode: 'a "b"' };
    const changed = edited(own, tree =>
      changeQuery(tree, 'r', { display: { chart, numbers: 'plain', 'x-later': [1] } }),
    );
    const written = `{ "chart": { "mode": "a \\"b\\"" }, /* mine */ "numbers": "plain", "x-later": [1] }`;
    assert.equal(changed, own.replace(view, written));
    assert.equal(
      edited(changed, tree => changeQuery(tree, 'r', { display: undefined })),
      file,
    );
  });

  it('keeps comments in a view of several lines, and writes a long one in lines of its own', () => {
    const lines = ['// as in the report', '"resample": "day", // not hours', '"missing": true'];
    const view = `{\n            ${lines.join('\n            ')}\n          }`;
    const own = replaced('"x-note": 1,', `"x-note": 1,\n          "analysis": ${view},`);
    const next = { resample: 'day', where: { wind_mw: '>1' } } as const;
    const changed = edited(own, tree => changeQuery(tree, 'r', { analysis: next }));
    for (const line of ['// as in the report', '// not hours', '"where": { "wind_mw": ">1" }'])
      assert.ok(changed.includes(line), changed);
    assert.ok(!changed.includes('"missing"'));
    const long = {
      chosen: '1'.repeat(70),
      chart: { mode: 'mix', columns: [], hidden: [], picked: {} },
    };
    const written = edited(file, tree => changeQuery(tree, 'r', { display: long }));
    assert.match(written, /^ {10}"display": \{\n {12}"chosen": "1+",\n {12}"chart": \{ .+ \}\n {10}\},$/m);
  });

  it("moves a block with its comments, and leaves the file's own", () => {
    const moved = edited(file, tree => moveItems(tree, ['s'], { before: 'm' }));
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
    const last = edited(file, tree => moveItems(tree, ['s'], {}));
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
      edited(file, tree => removeItems(tree, [wind]).tree),
      /\n {4}\},\s+\/\/ All about wind\s+\]\n\}\n$|\n {4}\}\s+\/\/ All about wind\s+\]\n\}\n$/,
    );
  });

  it('moves each line of a block to the indent of its new place', () => {
    const moved = edited(file, tree => moveItems(tree, ['r'], {}));
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
    const one = '{ "name": "A", "dataset": "systemState", "range": "today", "id": "one" }';
    const added = (text: string): string => edited(text, tree => addItems(tree, [aQuery('a')], {}));
    const apart = added(`{\n  "queries": [\n        ${one}\n  ]\n}\n`);
    assert.ok(apart.includes('\n        {\n          "name": "Query a",'), apart);
    const inLine = added(`{\n  "queries": [${one}]\n}\n`);
    assert.ok(inLine.includes('\n    {\n      "name": "Query a",'), inLine);
  });

  it('moves inside a list without touching the other blocks', () => {
    const moved = edited(file, tree => moveItems(tree, ['r'], { folder: 'm', before: 's' }));
    for (const line of file.split('\n').filter(text => text.includes('//'))) assert.ok(moved.includes(line), line);
    assert.equal(moved.length, file.length);
  });

  it('creates a file, a list, and the list of a folder without one', () => {
    const text = edited(undefined, () => [aFolder('f', [aQuery('a')], 'F')]);
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
      edited(empty, tree => addItems(tree, [aQuery('a')], { folder: tree[0]?.id }));
  });

  it('keeps tabs and line ends', () => {
    const windows = file.replaceAll('\n', '\r\n').replaceAll('  ', '\t');
    const text = edited(windows, tree => addItems(tree, [aQuery('a')], { folder: 'm' }));
    assert.ok(!/[^\r]\n/.test(text));
    assert.ok(text.includes('\r\n\t\t\t\t{\r\n\t\t\t\t\t"name": "Query a",'), JSON.stringify(text));
  });

  it('refuses to edit what is not JSON, or to write a key', () => {
    assert.deepEqual(
      editQueriesFile(`${file}}`, tree => renameItem(tree, 's', 'x')),
      { ok: false, problem: 'notJson' },
    );
    assert.deepEqual(
      editQueriesFile('[]', () => [aQuery('a')]),
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

  it('renames a folder although the name of one in it looks like a key: that is written already', () => {
    const text = replaced('{ "name": "Not readable", "dataset": "none" }', '{ "folder": "sb_test_0123456789abcdef" }');
    assert.match(
      edited(text, tree => renameItem(tree, 'm', 'Early')),
      /"folder": "Early"/,
    );
  });

  it('returns the same text when nothing changes', () => {
    assert.deepEqual(
      editQueriesFile(file, tree => renameItem(tree, 's', 'Stress')),
      {
        ok: true,
        text: file,
        tree: parseQueriesFile(file).tree,
      },
    );
  });

  it('touches one block of 2,000 in 50 folders by a rename', () => {
    const folders = Array.from({ length: 50 }, (_, f) =>
      aFolder(
        `f${f}`,
        Array.from({ length: 40 }, (_unused, q) => aQuery(`q${f}-${q}`)),
      ),
    );
    const text = edited(undefined, () => folders);
    const result = editQueriesFile(text, tree => renameItem(tree, 'q25-20', 'Another'));
    assert.ok(result.ok);
    const block = parseQueriesFile(text).blocks.get('q25-20');
    assert.ok(block);
    const { start, end } = replacementBetween(text, result.text);
    assert.ok(start > block.offset && end < block.offset + block.length);
    assert.equal(result.text, text.replace('"Query q25-20"', '"Another"'));
  });

  it('loses the comments of a removed item, and no other', () => {
    const rest = edited(file, tree => removeItems(tree, ['s']).tree);
    assert.deepEqual(
      commentsOf(rest),
      commentsOf(file).filter(comment => !['// the index', '// look here'].includes(comment)),
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
    it(`applies tree edits to the text, and loses no comment where no item is removed (${index})`, () => {
      fc.assert(
        fc.property(fc.array(steps, { maxLength: 25 }), all => {
          const newId = counter();
          let now = text;
          for (const step of all) {
            const comments = commentsOf(now);
            let left = 0;
            now = edited(now, tree => {
              const after = perform(tree, step, newId);
              const ids = allIds(after);
              left = [...allIds(tree)].filter(id => !ids.has(id)).length;
              return after;
            });
            if (left === 0) assert.deepEqual(commentsOf(now), comments);
          }
        }),
        { numRuns: manyRuns(60) },
      );
    });
  }
});

/** Sorts the blocks alphabetically. Each block keeps its own comments. */
function commentsOf(text: string): string[] {
  return [...text.matchAll(/\/\/ [a-zA-Z ]+/g)].map(([comment]) => comment.trim()).sort();
}
