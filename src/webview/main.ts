import type { HostMessage } from '../shared/protocol.ts';
import { HostLink } from './hostLink.ts';
import { Page } from './page.ts';
import { reportErrors } from './pageErrors.ts';
import { SavedPlace } from './savedPlace.ts';
import './vscodeApi.ts';

const api = acquireVsCodeApi();
const link = new HostLink(api);
reportErrors(window, link);

const root = document.getElementById('app');
if (!root) throw new Error('The page has no #app.');
const page = new Page(root, link, new SavedPlace(api));

window.addEventListener('message', (event: MessageEvent<HostMessage>) => page.receive(event.data));
// VS Code writes colours and fonts into the style of the root element, and the kind of theme into the body's class.
const themes = new MutationObserver(() => page.themeChanged());
themes.observe(document.documentElement, { attributeFilter: ['style'] });
themes.observe(document.body, { attributeFilter: ['class'] });

void link.request({ type: 'ready' });
