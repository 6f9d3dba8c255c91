import type { ScopeState, Ticket } from './keyState.ts';
import type { Priority } from './limiter.ts';

export interface Waiting {
  readonly id: string;
  readonly priority: Priority;
}

/**
 * Makes the window's tickets those of its waiting requests, and says that the window lives. A new ticket's turn is the one
 * after the window's last, and no earlier than those of the requests that count now: windows take turns however much each of
 * them asks for, and one that found all slots free stands back until the others have had as many.
 */
export function renewTickets(scope: ScopeState, window: string, waiting: readonly Waiting[], now: number): void {
  const ids = new Set(waiting.map(({ id }) => id));
  scope.tickets = scope.tickets.filter(ticket => ticket.window !== window || ids.has(ticket.id));
  const known = new Set(scope.tickets.map(({ id }) => id));
  const last = { person: lastTurn(scope, window, 'person'), background: lastTurn(scope, window, 'background') };
  for (const { id, priority } of waiting) {
    if (known.has(id)) continue;
    last[priority] += 1;
    scope.tickets.push({ id, window, priority, turn: last[priority] });
  }
  scope.seen[window] = now;
}

function lastTurn({ slots, tickets }: ScopeState, window: string, priority: Priority): number {
  const all = [...slots, ...tickets.filter(ticket => ticket.priority === priority)];
  const own = all.filter(one => one.window === window);
  if (own.length > 0) return own.reduce((last, { turn }) => Math.max(last, turn), -Infinity);
  return all.length > 0 ? all.reduce((first, { turn }) => Math.min(first, turn), Infinity) - 1 : 0;
}

/** Who goes first: persons, then by turn, then who came first. */
export function inOrder(tickets: readonly Ticket[]): Ticket[] {
  return [...tickets].sort((a, b) => rankOf(a) - rankOf(b) || a.turn - b.turn);
}

/** The lower goes first. */
export function rankOf({ priority }: Pick<Waiting, 'priority'>): number {
  return priority === 'person' ? 0 : 1;
}
