import { hostileTexts } from './texts.ts';

/** The query of a malicious `vscode://` link, as VS Code passes it on. */
interface HostileLink {
  readonly name: string;
  readonly query: string;
}

const query = (range: string, otherParts = ''): string => `dataset=systemState&range=${range}${otherParts}`;

export const hostileLinks: readonly HostileLink[] = [
  { name: 'a century of minutes', query: query('1927..2026', '&interval=1m') },
  { name: 'a century of minutes, backwards', query: query('2026..1927', '&interval=1m') },
  { name: 'ten thousand years', query: query('0000..9999', '&interval=1m') },
  { name: 'a million years', query: query('last 999999 years') },
  { name: 'minutes until now', query: query('1927..', '&interval=1m') },
  { name: 'a century of seconds', query: query('1927..2026', '&interval=PT1S') },
  { name: 'an interval of no length', query: query('1927..2026', '&interval=0m') },
  { name: 'an interval that is a word', query: query('1927..2026', '&interval=banana') },
  { name: 'a range of 1 MB of periods', query: query('.'.repeat(1_000_000)) },
  { name: 'a range of 1 MB of periods and spaces', query: query('. '.repeat(500_000)) },
  { name: 'a range of 1 MB of digits', query: query('9'.repeat(1_000_000)) },
  {
    name: '200,000 parameters',
    query: query('today', Array.from({ length: 200_000 }, (_, n) => `&param.p${n}=1`).join('')),
  },
  { name: '200,000 equal parameters', query: query('today', '&param.p=1'.repeat(200_000)) },
  { name: 'a parameter of 1 MB', query: query('today', `&param.p=${'x'.repeat(1_000_000)}`) },
  { name: 'a dataset of 1 MB', query: `dataset=${'x'.repeat(1_000_000)}&range=today` },
  { name: 'a connection of 1 MB', query: query('today', `&connection=${'x'.repeat(1_000_000)}`) },
  { name: 'only separators', query: '&'.repeat(1_000_000) },
  { name: 'broken encodings', query: query('%E0%A4%A', '&%=%&%%%') },
  { name: 'names of built-in object members', query: query('today', '&__proto__=x&param.__proto__=x&constructor=x') },
];

const completeQuery = { dataset: 'systemState', range: '2023-05-01', connection: 'Main' };

function createQuery(part: string, text: string): string {
  return new URLSearchParams({ ...completeQuery, [part]: text }).toString();
}

/**
 * Creates links with an unknown part, for a VS Code with one connection, `Main`, and links with each hostile text in each part. They
 * are created on demand, because some have megabytes.
 */
export const createUnknownLinks = (): readonly HostileLink[] => [
  { name: 'nothing', query: '' },
  { name: 'no connection', query: 'dataset=systemState&range=2023-05-01' },
  { name: 'an empty connection', query: 'dataset=systemState&range=2023-05-01&connection=' },
  { name: 'another connection', query: 'dataset=systemState&range=2023-05-01&connection=Other' },
  { name: 'no dataset', query: 'range=2023-05-01&connection=Main' },
  { name: 'no range', query: 'dataset=systemState&connection=Main' },
  { name: 'an invalid range', query: createQuery('range', 'the last evil') },
  { name: 'a range that ends before it begins', query: createQuery('range', '2023-05-02..2023-05-01') },
  { name: 'a range of 8,000 years', query: createQuery('range', '1000-01-01..9000-01-01') },
  { name: 'an interval that the dataset does not have', query: createQuery('interval', '1m') },
  { name: 'a parameter that the dataset does not have', query: createQuery('param.components', 'true') },
  { name: 'a key', query: createQuery('param.api_key', 'sb_test_not_a_real_key_1') },
  { name: 'a command', query: createQuery('command', 'workbench.action.terminal.new') },
  { name: 'a refresh parameter', query: createQuery('refresh', 'always') },
  { name: 'a prototype', query: createQuery('__proto__', 'x') },
  { name: 'a member of every object', query: createQuery('hasOwnProperty', 'x') },
  { name: 'a prototype as a parameter', query: createQuery('param.__proto__', 'x') },
  { name: 'the range as a parameter', query: createQuery('param.start', '2020-01-01T00:00:00Z') },
  { name: 'a parameter without a name', query: createQuery('param.', 'x') },
  { name: 'an empty name', query: createQuery('', 'x') },
  { name: 'two datasets, the first one empty', query: `dataset=&${createQuery('dataset', 'systemState')}` },
  { name: 'two connections, the first one unknown', query: `connection=Other&${createQuery('connection', 'Main')}` },
  { name: 'full-width digits', query: createQuery('range', '２０２３-05-01') },
  { name: 'Arabic digits', query: createQuery('range', '٢٠٢٣-٠٥-٠١') },
  { name: 'a character that looks like a hyphen', query: createQuery('range', '2023\u204305\u204301') },
  { name: 'an interval with a full-width digit', query: createQuery('interval', '１h') },
  { name: 'a connection with a Cyrillic letter', query: createQuery('connection', 'M\u0430in') },
  { name: 'a connection that is encoded twice', query: createQuery('connection', '%4dain') },
  { name: 'a connection followed by NUL', query: createQuery('connection', 'Main\0') },
  {
    name: 'a parameter over the maximum length',
    query: createQuery('dataset', 'gridStress').concat(`&param.components=${'x'.repeat(201)}`),
  },
  ...hostileTexts.flatMap(({ name, text }) =>
    // A link of megabytes is rejected for its length, whichever part is long, and takes seconds to create.
    (text.length > 100_000 ? ['range'] : ['dataset', 'range', 'interval', 'connection', 'param.x', text]).map(part => ({
      name: `${name} as ${part.slice(0, 20)}`,
      query: createQuery(part, text),
    })),
  ),
];
