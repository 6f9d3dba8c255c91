import { Page } from './page.ts';
import { SavedState } from './savedState.ts';

const api = acquireVsCodeApi();
const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const ownZone = timeZone ? { timeZone, label: timeZone } : undefined;
const page = new Page(root, message => api.postMessage(message), new SavedState(api), ownZone);
window.addEventListener('error', event => {
  // No error: what changes size while sizes are observed is observed again in the next frame, and the browser says so in this way.
  if (!event.message.startsWith('ResizeObserver loop')) page.failed(event.error ?? event.message);
});
window.addEventListener('unhandledrejection', event => page.failed(event.reason));

// A page of another extension reaches this one through the frames of the window; VS Code posts from a frame of this page's own origin.
window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.origin === window.origin) page.host.receive(event.data);
});
// VS Code writes colours and fonts into the style of the root element, and the kind of theme into the body's class.
const themes = new MutationObserver(() => page.themeChanged());
themes.observe(document.documentElement, { attributeFilter: ['style'] });
themes.observe(document.body, { attributeFilter: ['class'] });

void page.host.notify('ready', undefined);
