import { GridError } from '../errors.ts';
import { serviceText } from './modelText.ts';

/** What a range may look like, for a language model. */
export const rangeForms =
  'Ranges: "last 36 hours", "last 7 days", "today", "yesterday", "month to date", "last month", "last quarter", "2023-05-01", "2023-05", "2023-Q2", "2023-H1", "2023-W05", ' +
  '"2023-01..2023-03" (the end counts whole), or ISO 8601 instants with a zone, "2023-01-01T00:00:00Z..2023-01-02T00:00:00Z" (the end does not belong to it).';

/** What a language model is to change after a failure, in English. Undefined for a failure without a known reason. */
export function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof GridError)) return undefined;
  const { status, detail, retryAfterMs } = error.facts;
  const said = detail ? ` The service says ${serviceText(detail, 200)}.` : '';
  const code = status === undefined ? '' : ` (${status})`;
  switch (error.reason) {
    case 'cancelled':
      return 'Cancelled. Do not call again unless the person asks for it.';
    case 'noConnection':
      return 'There is no connection to a service. Ask the person to run the command "Grid Data: Add Connection", or "Grid Data: Open Sample Data". You cannot add one.';
    case 'noKey':
      return 'No key is kept for this connection. Ask the person to run "Grid Data: Replace Key". Never ask for the key itself.';
    case 'keyRejected':
    case 'forbidden':
      return `The service refuses the key of this connection${code}. Ask the person to run "Grid Data: Replace Key", or use another connection. Never ask for the key itself.`;
    case 'badRequest':
      return `The service refused the query${code}.${said} Change the interval, the range or the parameters; gridData_describeFields lists what is known.`;
    case 'throttled':
      return `The request budget is used up${code}. Call again after ${Math.ceil((retryAfterMs ?? 60_000) / 1000)} s, not before.`;
    case 'responseTooLarge':
      return 'The answer is larger than what is read at once. Ask for a shorter range, or interval "1d" where there is one.';
    case 'timeout':
      return 'The service took too long. Ask for a shorter range.';
    case 'notFound':
    case 'redirected':
      return `The service does not answer at this address${code}. Ask the person to check the base URL of the connection.`;
    case 'serverError':
    case 'unreachable':
    case 'damagedResponse':
      return `The service could not answer${code}. Nothing is wrong with the query; try again once after a few minutes.`;
  }
}
