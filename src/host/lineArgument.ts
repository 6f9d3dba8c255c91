/**
 * The argument of a command that is about no line of a view. VS Code passes the line with the focus to the buttons in the
 * view's title too: there it means nothing, as if there were no argument.
 */
export function withoutLine(argument: unknown): unknown {
  return typeof argument === 'object' && argument !== null && 'kind' in argument ? undefined : argument;
}
