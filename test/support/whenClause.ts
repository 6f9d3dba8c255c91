/** What a `when` clause reads: its keys, with a value each; one that is left out is false. */
export type WhenContext = Readonly<Record<string, string | number | boolean>>;

/** Whether a clause of package.json holds, of the operators that are used there. Throws for any other. */
export function holds(when: string | undefined, context: WhenContext): boolean {
  return !when || when.split(' || ').some(all => all.split(' && ').every(term => termHolds(term, context)));
}

/** The keys that clauses read. */
export function keysOf(clauses: readonly (string | undefined)[]): string[] {
  const terms = clauses.flatMap(when => when?.split(/ \|\| | && /) ?? []);
  return [...new Set(terms.map(term => /^!?([\w.]+)/.exec(term)?.[1] ?? ''))];
}

function termHolds(term: string, context: WhenContext): boolean {
  const [, not, name = '', operator, operand = ''] = /^(!?)([\w.]+)(?: (==|!=|=~|>) (.+))?$/.exec(term) ?? [];
  if (name === '') throw new Error(`Unknown term '${term}'.`);
  const value = context[name] ?? false;
  const text = operand.replace(/^'(.*)'$/, '$1');
  switch (operator) {
    case '==':
      return String(value) === text;
    case '!=':
      return String(value) !== text;
    case '>':
      return Number(value) > Number(text);
    case '=~': {
      const [, pattern = '', flags = ''] = /^\/(.*)\/(i?)$/.exec(operand) ?? [];
      return new RegExp(pattern, flags).test(String(value));
    }
    case undefined:
      return (value !== false) !== (not === '!');
    default:
      throw new Error(`Unknown operator '${operator}'.`);
  }
}
