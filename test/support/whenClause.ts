/** The context keys of a `when` clause with their values; missing keys are false. */
export type WhenContext = Readonly<Record<string, string | number | boolean>>;

/** Evaluates a `when` clause of package.json. Throws for operators that are not used there. */
export function evaluateWhenClause(when: string | undefined, context: WhenContext): boolean {
  return (
    !when ||
    when.split(' || ').some(conjunction => conjunction.split(' && ').every(term => evaluateTerm(term, context)))
  );
}

/** Lists the context keys that clauses use. */
export function listContextKeys(clauses: readonly (string | undefined)[]): string[] {
  const terms = clauses.flatMap(when => when?.split(/ \|\| | && /) ?? []);
  return [...new Set(terms.map(term => /^!?([\w.]+)/.exec(term)?.[1] ?? ''))];
}

function evaluateTerm(term: string, context: WhenContext): boolean {
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
