import type { HostMessage, PageMessage } from '../../../src/shared/protocol.ts';
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
const posted: PageMessage[] = [];
const violations: string[] = [];
const settings: { refusal: string | undefined; silent: boolean } = { refusal: undefined, silent: false };

const send = (message: HostMessage) => window.postMessage(message, '*');
const frame = () => new Promise(requestAnimationFrame);
const task = () => new Promise(resolve => setTimeout(resolve));

window.host = {
  posted: () => posted,
  troubles: () => [...violations, ...posted.flatMap(sent => (sent.type === 'pageError' ? [sent.message] : []))],
  async show(name) {
    sessionStorage.setItem(stateKey, name);
    const state = states[name]();
    const start = performance.now();
    send({ type: 'state', state });
    await task();
    await frame();
    await task();
    return performance.now() - start;
  },
  rename: (title, named) => send({ type: 'names', title, named }),
  refuse: sentence => void (settings.refusal = sentence),
  keepSilent: () => void (settings.silent = true),
  sendBroken: () => send({ type: 'state', state: { ...states.table(), frame: null } } as unknown as HostMessage),
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

function answer(message: PageMessage): void {
  posted.push(message);
  if (message.type === 'ready') {
    send({ type: 'init', locale: window.locale ?? 'en', strings: window.strings });
    const name = sessionStorage.getItem(stateKey) as StateName | null;
    if (name) send({ type: 'state', state: states[name]() });
  }
  const isAct = message.type === 'act';
  if (isAct && settings.silent) return;
  const error = isAct ? settings.refusal : undefined;
  send({ type: 'reply', id: message.id, ...(error !== undefined && { error }) });
}

document.addEventListener('securitypolicyviolation', event =>
  violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
);
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: answer,
    getState: () => JSON.parse(sessionStorage.getItem(savedKey) ?? 'null') as unknown,
    setState: (state: unknown) => sessionStorage.setItem(savedKey, JSON.stringify(state)),
  }),
});
