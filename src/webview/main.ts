import { Page } from './page.ts';
import { SavedState } from './savedState.ts';

const api = acquireVsCodeApi();
const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const localZone = timeZone ? { timeZone, label: timeZone } : undefined;
const page = new Page(root, message => api.postMessage(message), new SavedState(api), localZone);
window.addEventListener('error', event => {
  // The browser reports size changes that it defers to the next frame in this way. They are no error.
  if (!event.message.startsWith('ResizeObserver loop')) page.reportError(event.error ?? event.message);
});
window.addEventListener('unhandledrejection', event => page.reportError(event.reason));

// Pages of other extensions can post messages to this frame too. VS Code posts from a frame of the same origin.
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.origin === window.origin) page.host.receive(event.data);
});
// VS Code sets colors and fonts in the style of the root element, and the kind of theme in the class of the body.
const themes = new MutationObserver(() => page.onThemeChanged());
themes.observe(document.documentElement, { attributeFilter: ['style'] });
themes.observe(document.body, { attributeFilter: ['class'] });

void page.host.notify('ready', undefined);
