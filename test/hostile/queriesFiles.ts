/** A malicious file. Reading it must neither freeze nor crash the editor. */
interface HostileFile {
  readonly name: string;
  readonly text: string;
}

const entry = '{ "name": "A", "dataset": "systemState", "range": "today" }';
const query = (fields: string): string => `{ "queries": [{ "name": "A", "dataset": "systemState", ${fields} }] }`;
const list = (entries: string): string => `{ "queries": [${entries}] }`;

/** Possible contents of `.vscode/grid-queries.json` in an untrusted folder. */
export const hostileQueriesFiles: readonly HostileFile[] = [
  { name: '612 kB of equal names', text: list(Array<string>(10_000).fill(entry).join(',\n')) },
  { name: 'the maximum number of equal names', text: list(Array<string>(2_500).fill(entry).join(',\n')) },
  { name: '150 kB of problems', text: list('1,\n'.repeat(50_000)) },
  { name: '390 kB that are no JSON', text: list('x,'.repeat(195_000)) },
  { name: '390 kB of values', text: list('1,'.repeat(195_000)) },
  { name: '90 kB of periods and spaces in a range', text: list(query(`"range": "${'. '.repeat(45_000)}"`)) },
  { name: 'a range of 90 kB', text: query(`"range": "${'. '.repeat(45_000)}"`) },
  { name: 'a range of periods and spaces', text: query(`"range": "${'. '.repeat(99)}"`) },
  {
    name: 'a name of 300 kB',
    text: list(`{ "name": "${'n'.repeat(300_000)}", "dataset": "systemState", "range": "today" }`),
  },
  { name: 'an interval of 300 kB', text: query(`"range": "today", "interval": "${'1'.repeat(300_000)}h"`) },
  { name: 'a connection of 300 kB', text: query(`"range": "today", "connection": "${'c'.repeat(300_000)}"`) },
  { name: 'a folder of 300 kB', text: list(`{ "folder": "${'f'.repeat(300_000)}", "queries": [${entry}] }`) },
  { name: '30,000 parameters', text: query(`"range": "today", "params": {${numbered(30_000, n => `"p${n}":"1"`)}}`) },
  { name: 'a parameter of 300 kB', text: query(`"range": "today", "params": { "a": "${'1'.repeat(300_000)}" }`) },
  {
    name: '10,000 equal alerts',
    text: query(`"range": "today", "alerts": [${Array(10_000).fill('{"kind":"late"}').join(',')}]`),
  },
  { name: '40,000 fields in one entry', text: list(`{${numbered(40_000, n => `"${n}":1`)}}`) },
  {
    name: '10,000 fields that look like keys',
    text: list(`{ "name": "A", ${numbered(10_000, n => `"token${n}":"x"`)} }`),
  },
  { name: 'folders in folders', text: `${'{"queries":['.repeat(15_000)}${']}'.repeat(15_000)}` },
  {
    name: 'objects in objects',
    text: query(`"range": "today", "params": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  },
  { name: 'lists in lists', text: query(`"range": "today", "alerts": ${'['.repeat(90_000)}${']'.repeat(90_000)}`) },
  { name: 'nothing but brackets', text: '['.repeat(390_000) },
  { name: 'a comment without end', text: `{ "queries": [ /*${' '.repeat(390_000)}` },
  { name: '390 kB of blank lines', text: `{ "queries": [${'\n'.repeat(195_000)}${entry}${'\r\n'.repeat(97_000)}] }` },
  { name: 'a file of 20 MB', text: list(`${entry},`.repeat(340_000)) },
];

function numbered(count: number, text: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => text(n)).join(',');
}

/** Possible contents of the file of a key's budget, which all windows share. `mayBeTrue` marks contents that could be genuine. */
export function hostileBudgetFiles(
  scope: string,
  now: number,
): readonly (HostileFile & { readonly mayBeTrue?: true })[] {
  const day = 24 * 3_600_000;
  const quiet = {
    slots: [],
    tickets: [],
    seen: {},
    blockedUntil: 0,
    forbidden: false,
    windowMs: 0,
  };
  const reading = { machine: 'x', now, uptimeMs: 1 };
  const state = (scopeFields: object, stateFields: object = {}): string =>
    JSON.stringify({
      version: 1,
      reading,
      rejected: false,
      scopes: { [scope]: { ...quiet, ...scopeFields } },
      ...stateFields,
    });
  const slot = (time: number, flying: boolean): object => {
    return { id: `${time}`, window: 'x', turn: 0, sentAt: time, at: time, flying };
  };
  const slots = (count: number, time: number, flying: boolean): object[] =>
    Array.from({ length: count }, (_, id) => ({ ...slot(time, flying), id: `x${id}` }));
  const tickets = (count: number): object[] =>
    Array.from({ length: count }, (_, id) => ({ id: `t${id}`, window: 'x', priority: 'user', turn: -1e9 }));
  const far = now + 2 * day;
  const huge = 1e308;
  return [
    { name: 'blocked for two days', text: state({ blockedUntil: far, windowMs: 2 * day }) },
    { name: 'blocked forever', text: state({ blockedUntil: huge, windowMs: huge }) },
    { name: 'responses from the day after tomorrow', text: state({ slots: slots(9, far, false), windowMs: 2 * day }) },
    { name: 'requests in flight for two days', text: state({ slots: slots(9, far, true), windowMs: 2 * day }) },
    { name: 'requests in flight forever', text: state({ slots: slots(9, huge, true), windowMs: huge }) },
    { name: 'a rejection without a time', text: state({}, { rejected: true }), mayBeTrue: true },
    { name: 'a rejection from the day after tomorrow', text: state({}, { rejected: true, rejectedAt: far }) },
    {
      name: 'a rejection from the day before yesterday',
      text: state({}, { rejected: true, rejectedAt: now - 2 * day }),
      mayBeTrue: true,
    },
    { name: 'no access since the day after tomorrow', text: state({ forbidden: true, forbiddenAt: far }) },
    { name: 'minimum numbers', text: state({ blockedUntil: -huge, windowMs: -huge }) },
    // The maximum number that is read.
    { name: '2,700 responses', text: state({ slots: slots(2_700, now, false) }) },
    { name: '3,600 queued requests', text: state({ tickets: tickets(3_600), seen: { x: far } }) },
    {
      name: 'a file written two days in the future',
      text: state({ slots: slots(9, far, true), blockedUntil: far }, { reading: { ...reading, now: far } }),
      mayBeTrue: true,
    },
    { name: 'a block of two minutes', text: state({ blockedUntil: now + 120_000 }), mayBeTrue: true },
    {
      name: 'requests in flight',
      text: state({ slots: slots(9, now + 125_000, true).map(sent => ({ ...sent, sentAt: now })) }),
      mayBeTrue: true,
    },
    {
      name: '1,700 other scopes',
      text: state({}, { scopes: Object.fromEntries(Array.from({ length: 1_700 }, (_, n) => [`s${n}`, quiet])) }),
      mayBeTrue: true,
    },
    { name: 'more responses than are read', text: state({ slots: slots(20_000, now, false) }) },
    {
      name: 'a scope named like a built-in object member',
      text: state({}).replace(scope, '__proto__'),
      mayBeTrue: true,
    },
    {
      name: 'unknown fields',
      text: state({ extra: { deep: [1] } }, { toString: 1, key: 'not-a-real-key' }),
      mayBeTrue: true,
    },
    { name: 'a state of 20 MB', text: `${state({})}${' '.repeat(20e6)}` },
    { name: 'nothing but brackets', text: '['.repeat(390_000) },
    { name: 'nothing', text: '' },
  ];
}
