import { Messenger } from '../../../src/shared/messenger.ts';
import type { HostMethods, PageMethods, PanelAction, RawResponse, ViewState } from '../../../src/shared/protocol.ts';
import type { PanelView } from '../../../src/shared/savedView.ts';
import { axe } from './eyes.ts';
import type { FakeHostApi } from './fakeHostApi.ts';
import { expectedValue } from './frames.ts';
import { gridEyes, scroller } from './gridEyes.ts';
import { states } from './states.ts';
import type { StateName } from './states.ts';

declare global {
  interface Window {
    host: FakeHostApi;
    locale?: string;
    strings?: Record<string, string>;
  }
}

const stateKey = 'fake-host-state';
const savedKey = 'fake-saved-state';
const acts: PanelAction[] = [];
const troubles: string[] = [];
const shownViews: PanelView[] = [];
const instants: (number | null)[] = [];
let isReady = false;
let response = Promise.withResolvers<RawResponse>();
let silence = Promise.withResolvers<undefined>();
const settings: { refusal: string | undefined; silent: boolean } = { refusal: undefined, silent: false };

const messenger = new Messenger<HostMethods, PageMethods>(
  message => window.postMessage(message, '*'),
  {
    ready: () => {
      isReady = true;
      initialize();
      const name = sessionStorage.getItem(stateKey) as StateName | null;
      if (name) void send('state', states[name]());
    },
    act: async ({ action }) => {
      acts.push(action);
      if (settings.silent) await silence.promise;
      if (settings.refusal !== undefined) throw new Error(settings.refusal);
    },
    setZone: () => undefined,
    viewChanged: ({ view }) => void shownViews.push(view),
    readResponse: async () => response.promise,
    tabOpened: () => undefined,
    pointed: ({ instant }) => void instants.push(instant ?? null),
    saveFile: () => undefined,
    pageError: ({ message }) => void troubles.push(message),
  },
  error => void troubles.push(String(error)),
);
const send: typeof messenger.notify = async (...call) => messenger.notify(...call);
const initialize = () => void send('init', { locale: window.locale ?? 'en', strings: window.strings });
let marks = 0;
/** Resolves once the page has handled all that was sent to it: messages come in their order, and this one it does not know. */
const received = () =>
  new Promise<void>(resolve => {
    const mark = `mark ${++marks}`;
    const listen = ({ data }: MessageEvent<unknown>) => {
      if (data !== mark) return;
      window.removeEventListener('message', listen);
      resolve();
    };
    window.addEventListener('message', listen);
    window.postMessage(mark, '*');
  });
let endedTimers = 0;
/** Ends what a result of before still waits for, such as a chart that comes to rest: it would save how that result was looked at. */
function endTimers(): void {
  const last = setTimeout(() => undefined);
  while (endedTimers < last) clearTimeout(++endedTimers);
}
const frame = () => new Promise(requestAnimationFrame);
const task = () => new Promise(resolve => setTimeout(resolve));

window.host = {
  isReady: () => isReady,
  async empty() {
    const app = document.getElementById('app');
    if (!app) throw new Error('The page has no #app.');
    // A person leaves the page, which closes what is open, and it forgets what had the focus.
    app.tabIndex = -1;
    app.focus();
    app.blur();
    app.removeAttribute('tabindex');
    window.dispatchEvent(new Event('blur'));
    silence.resolve(undefined);
    silence = Promise.withResolvers();
    sessionStorage.removeItem(stateKey);
    sessionStorage.removeItem(savedKey);
    initialize();
    // Nothing that could have the focus; and a notice goes with the kind of what is shown.
    const nothing = { title: '', header: [], sentence: '', actions: [] };
    void send('state', { ...nothing, view: 'empty', tools: { range: '', interval: '', actions: [] } });
    void send('state', { ...nothing, view: 'error' });
    await received();
    endTimers();
    // A person comes back: what is shown next gets the focus.
    window.dispatchEvent(new Event('focus'));
    await task();
    sessionStorage.removeItem(savedKey);
    for (const noted of [acts, troubles, shownViews, instants]) noted.length = 0;
    response = Promise.withResolvers();
    Object.assign(settings, { refusal: undefined, silent: false });
  },
  acts: () => acts,
  respond(given) {
    response.resolve(given);
    response = Promise.withResolvers();
    response.resolve(given);
  },
  view: async view => messenger.request('view', view),
  shownViews: () => shownViews,
  link: async isLinked => {
    void send('question', { board: 'personal/f', ...(!isLinked && { unlinked: true }) });
    await received();
  },
  instants: () => instants,
  async sweep() {
    const area = document.querySelector('.chart-area');
    const { x, y, width } = area?.getBoundingClientRect() ?? new DOMRect();
    const before = instants.length;
    for (let step = 0; step <= 100; step++)
      area?.dispatchEvent(new MouseEvent('mousemove', { clientX: x + (step / 100) * width, clientY: y + 50 }));
    await frame();
    await frame();
    return instants.slice(before);
  },
  async frames() {
    for (let n = 0; n < 3; n++) await frame();
  },
  async point(instant) {
    void send('point', instant === null ? {} : { instant });
    await received();
    await frame();
    await frame();
  },
  readReport: async () => messenger.request('readReport', undefined),
  readTable: async () => messenger.request('readTable', undefined),
  troubles: () => troubles,
  async show(name) {
    sessionStorage.setItem(stateKey, name);
    const state = states[name]();
    const start = performance.now();
    void send('state', state);
    await received();
    await frame();
    await task();
    return performance.now() - start;
  },
  async rename(title, named) {
    void send('names', { title, named });
    await received();
  },
  refuse: sentence => void (settings.refusal = sentence),
  keepSilent: () => void (settings.silent = true),
  sendBroken: () => void send('state', { ...states.table(), frame: null } as unknown as ViewState),
  expectedValue,
  ...gridEyes,
  async scrollThrough(frames) {
    const gaps: number[] = [];
    const way = scroller().scrollHeight - scroller().clientHeight;
    let last = performance.now();
    for (let step = 0; step < frames; step++) {
      scroller().scrollTop = (way * ((step * 37) % frames)) / frames;
      await frame();
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    gaps.sort((a, b) => a - b);
    return [gaps[Math.floor(gaps.length * 0.95)] ?? 0, gaps.at(-1) ?? 0];
  },
  async scrollTo(fraction) {
    scroller().scrollTop = (scroller().scrollHeight - scroller().clientHeight) * fraction;
    await frame();
    await frame();
  },
  axe,
};

document.addEventListener('securitypolicyviolation', event =>
  troubles.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
);
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: unknown) => messenger.receive(message),
    getState: () => JSON.parse(sessionStorage.getItem(savedKey) ?? 'null') as unknown,
    setState: (state: unknown) => sessionStorage.setItem(savedKey, JSON.stringify(state)),
  }),
});
