/** Invalid entries and their problems: severity, code, subject, and the marked text. */
export const mistakes: readonly [entry: string, ...problems: string[]][] = [
  ['5', 'error | notAnEntry | 5'],
  ['{ "range": "today" }', 'error | notAnEntry | { "range": "today" }'],
  ['{ "name": "A" }', 'error | missing | dataset | { "name": "A" }', 'error | missing | range | { "name": "A" }'],
  ['{ "name": 1, "dataset": "systemState", "range": "today" }', 'error | notText | name | 1'],
  ['{ "name": "A", "dataset": "other", "range": "today" }', 'error | unknownDataset | other | "other"'],
  ['{ "name": "A", "dataset": "systemState", "range": "soon" }', 'error | badRange | soon | "soon"'],
  [
    '{ "name": "A", "dataset": "systemState", "range": "01/05/2023" }',
    'error | ambiguousRange | "2023-05-01", "2023-01-05" | "01/05/2023"',
  ],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "interval": "1x" }', 'error | badInterval | 1x | "1x"'],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "timeZone": "Mars" }',
    'error | badZone | Mars | "Mars"',
  ],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "timeZone": 2 }', 'error | notText | timeZone | 2'],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "keepFresh": 1 }', 'error | notAFlag | keepFresh | 1'],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "connection": 1 }', 'error | notText | connection | 1'],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "params": { "a": [] } }', 'error | badParams | a | []'],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "params": { "monkey": [] } }',
    'error | badParams | monkey | []',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "alerts": [{ "kind": "x" }] }',
    'warning | badAlert | 1 | { "kind": "x" }',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "analysis": { "resample": "decade" } }',
    'warning | badAnalysis | analysis | { "resample": "decade" }',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "analysis": { "resample": "day", "score": { "actual": "a", "forecast": "b", "by": "all" } } }',
    'warning | badAnalysis | analysis | { "resample": "day", "score": { "actual": "a", "forecast": "b", "by": "all" } }',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "display": "chart" }',
    'warning | badDisplay | display | "chart"',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "display": { "later": [[[[[["deep"]]]]]] } }',
    'warning | badDisplay | display | { "later": [[[[[["deep"]]]]]] }',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "display": { "token": 1 } }',
    'error | keyField | token | "token": 1',
  ],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "id": "good" }', 'warning | badId | "good"'],
  ['{ "name": "A", "dataset": "systemState", "range": "today", "id": "a b" }', 'warning | badId | "a b"'],
  ['{ "folder": "F", "queries": {} }', 'error | notAList | queries | {}'],
  ['{ "folder": "F", "board": [1], "queries": [] }', 'warning | badBoard | board | [1]'],
  ['{ "folder": 5, "queries": [] }', 'warning | notText | folder | 5'],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "apiKey": "x" }',
    'error | keyField | apiKey | "apiKey": "x"',
  ],
  [
    '{ "name": "A", "dataset": "systemState", "range": "today", "params": { "token": "x" } }',
    'error | keyField | token | "token": "x"',
  ],
  [
    '{ "name": "sb_test_not4arealkey", "dataset": "systemState", "range": "today" }',
    'error | keyField | name | "name": "sb_test_not4arealkey"',
  ],
];
