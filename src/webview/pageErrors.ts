const longest = 4000;

/** Reports what nobody caught. */
export function reportErrors(view: Window, report: (message: string) => void): void {
  view.addEventListener('error', event => report(errorText(event.error ?? event.message)));
  view.addEventListener('unhandledrejection', event => report(errorText(event.reason)));
}

/** Name, message and stack of whatever was thrown, at most 4,000 characters. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown);
  return text.slice(0, longest);
}
