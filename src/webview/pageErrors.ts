import type { HostLink } from './hostLink.ts';

const longest = 4000;

/** Sends what nobody caught to the host's log. */
export function reportErrors(view: Window, link: HostLink): void {
  const report = (thrown: unknown) => void link.request({ type: 'pageError', message: errorText(thrown) });
  view.addEventListener('error', event => report(event.error ?? event.message));
  view.addEventListener('unhandledrejection', event => report(event.reason));
}

/** Name, message and stack of whatever was thrown, at most 4,000 characters. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown);
  return text.slice(0, longest);
}
