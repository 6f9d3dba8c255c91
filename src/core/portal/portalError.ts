import { oneLine } from '../inertText.ts';

/** A portal file cannot be read; the message is one sentence for the person, with what to do about it, fit for a terminal. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
}

/** Makes the errors of one file: `place` is "" or such as ", line 3", `what` goes on from there. */
export type Refuse = (place: string, what: string, remedy?: string) => PortalError;

/** `fileName` is shown as it is. */
export function refusing(fileName: string): Refuse {
  return (place, what, remedy = exportAgain) => new PortalError(`${fileName}${place}${what}; ${remedy}.`);
}

export const exportAgain = 'export the hours again from the Eskom Data Portal';
export const correctLine = `correct the line, or ${exportAgain}`;

/** A text of a file, quoted: bounded, without the codes that a terminal would obey. */
export function quoted(text: string): string {
  return `"${oneLine(text.length > 40 ? `${text.slice(0, 40)}…` : text)}"`;
}
