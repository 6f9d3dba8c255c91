/** The id of the connection whose line in the view a command was called from; undefined for every other call. */
export function connectionOfNode(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || argument.kind !== 'connection')
    return undefined;
  return 'id' in argument && typeof argument.id === 'string' ? argument.id : undefined;
}
