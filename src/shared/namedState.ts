import type { QueryTools } from './protocol.ts';

/** The same state of a query that is called otherwise, or is saved now; what can be done with it stays. */
export function namedState<State extends { readonly title: string; readonly tools?: QueryTools }>(
  state: State,
  title: string,
  named: Omit<QueryTools, 'actions'>,
): State {
  // The name under which it was saved goes with the rest.
  return { ...state, title, ...(state.tools && { tools: { ...named, actions: state.tools.actions } }) };
}
