import { hostileTexts } from './texts.ts';

/** The query of a malicious `vscode://` link, as VS Code passes it on. */
interface HostileLink {
  readonly name: string;
  readonly query: string;
}

const query = (range: string, rest = ''): string => `dataset=systemState&range=${range}${rest}`;

export const hostileLinks: readonly HostileLink[] = [
  { name: 'a century of minutes', query: query('1927..2026', '&interval=1m') },
  { name: 'a century of minutes, backwards', query: query('2026..1927', '&interval=1m') },
  { name: 'ten thousand years', query: query('0000..9999', '&interval=1m') },
  { name: 'years without end', query: query('last 999999 years') },
  { name: 'minutes until now', query: query('1927..', '&interval=1m') },
  { name: 'a century of seconds', query: query('1927..2026', '&interval=PT1S') },
  { name: 'an interval of no length', query: query('1927..2026', '&interval=0m') },
  { name: 'an interval that is a word', query: query('1927..2026', '&interval=banana') },
  { name: 'a range of 1 MB of points', query: query('.'.repeat(1_000_000)) },
  { name: 'a range of 1 MB of points and blanks', query: query('. '.repeat(500_000)) },
  { name: 'a range of 1 MB of digits', query: query('9'.repeat(1_000_000)) },
  {
    name: '200,000 parameters',
    query: query('today', Array.from({ length: 200_000 }, (_, n) => `&param.p${n}=1`).join('')),
  },
  { name: '200,000 equal parameters', query: query('today', '&param.p=1'.repeat(200_000)) },
  { name: 'a parameter of 1 MB', query: query('today', `&param.p=${'x'.repeat(1_000_000)}`) },
  { name: 'a dataset of 1 MB', query: `dataset=${'x'.repeat(1_000_000)}&range=today` },
  { name: 'a connection of 1 MB', query: query('today', `&connection=${'x'.repeat(1_000_000)}`) },
  { name: 'nothing but separators', query: '&'.repeat(1_000_000) },
  { name: 'broken encodings', query: query('%E0%A4%A', '&%=%&%%%') },
  { name: 'names of objects', query: query('today', '&__proto__=x&param.__proto__=x&constructor=x') },
];

const whole = { dataset: 'systemState', range: '2023-05-01', connection: 'Main' };

function withPart(part: string, text: string): string {
  return new URLSearchParams({ ...whole, [part]: text }).toString();
}

/**
 * Creates links with an unknown part, for a VS Code with one connection, `Main`, and links with each hostile text in each part. They
 * are created on demand, because some have megabytes.
 */
export const unknownLinks = (): readonly HostileLink[] => [
  { name: 'nothing', query: '' },
  { name: 'no connection', query: 'dataset=systemState&range=2023-05-01' },
  { name: 'an empty connection', query: 'dataset=systemState&range=2023-05-01&connection=' },
  { name: 'another connection', query: 'dataset=systemState&range=2023-05-01&connection=Other' },
  { name: 'no dataset', query: 'range=2023-05-01&connection=Main' },
  { name: 'no range', query: 'dataset=systemState&connection=Main' },
  { name: 'a range that is none', query: withPart('range', 'the last evil') },
  { name: 'a range that ends before it begins', query: withPart('range', '2023-05-02..2023-05-01') },
  { name: 'a range of 8,000 years', query: withPart('range', '1000-01-01..9000-01-01') },
  { name: 'an interval that the dataset does not have', query: withPart('interval', '1m') },
  { name: 'a parameter that the dataset does not have', query: withPart('param.components', 'true') },
  { name: 'a key', query: withPart('param.api_key', 'sb_test_not_a_real_key_1') },
  { name: 'a command', query: withPart('command', 'workbench.action.terminal.new') },
  { name: 'a question to refresh', query: withPart('refresh', 'always') },
  { name: 'a prototype', query: withPart('__proto__', 'x') },
  { name: 'what every object has', query: withPart('hasOwnProperty', 'x') },
  { name: 'a prototype as a parameter', query: withPart('param.__proto__', 'x') },
  { name: 'the range as a parameter', query: withPart('param.start', '2020-01-01T00:00:00Z') },
  { name: 'a parameter without a name', query: withPart('param.', 'x') },
  { name: 'nothing as a name', query: withPart('', 'x') },
  { name: 'a first dataset of two that is none', query: `dataset=&${withPart('dataset', 'systemState')}` },
  { name: 'a first connection of two that is none', query: `connection=Other&${withPart('connection', 'Main')}` },
  { name: 'digits that look like others', query: withPart('range', '２０２３-05-01') },
  { name: 'digits of another script', query: withPart('range', '٢٠٢٣-٠٥-٠١') },
  { name: 'a hyphen that looks like one', query: withPart('range', '2023\u204305\u204301') },
  { name: 'an interval that looks like one', query: withPart('interval', '１h') },
  { name: 'a connection that looks like one', query: withPart('connection', 'M\u0430in') },
  { name: 'a connection encoded once more', query: withPart('connection', '%4dain') },
  { name: 'a connection with a NUL behind it', query: withPart('connection', 'Main\0') },
  {
    name: 'a parameter longer than any',
    query: withPart('dataset', 'gridStress').concat(`&param.components=${'x'.repeat(201)}`),
  },
  ...hostileTexts.flatMap(({ name, text }) =>
    // A link of megabytes is refused for its length, whichever part is long, and takes seconds to create.
    (text.length > 100_000 ? ['range'] : ['dataset', 'range', 'interval', 'connection', 'param.x', text]).map(part => ({
      name: `${name} as its ${part.slice(0, 20)}`,
      query: withPart(part, text),
    })),
  ),
];
