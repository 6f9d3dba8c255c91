import { getState, Refusal, signIn, signOut } from './api.js';
import { Board, FaultForm } from './board.js';
import { byId, say } from './elements.js';
import { connectKeyForms } from './keyForms.js';
import { LimitsDialog, TermsForm } from './termsForm.js';

const intervalMs = 1_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isSilent = false;
/** Counts the requests: only the response to the last one is shown. */
let requests = 0;

const terms = new TermsForm(byId('create-terms', HTMLElement));
const forms = connectKeyForms(terms, () => void refresh(), report);
const faultForm = new FaultForm(() => void refresh(), report);
const limits = new LimitsDialog(() => void refresh());
const board = new Board({ revoke: forms.revoke, limits: key => limits.open(key) }, () => void refresh());

byId('sign-out', HTMLButtonElement).addEventListener('click', () => {
  signOut().then(() => leave('You are signed out.'), report);
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void refresh();
});
// A new link opened in this tab changes the fragment alone.
addEventListener('hashchange', () => void enter());
void enter();

/** Exchanges the token of a link, removes it from the address, and shows the page. */
async function enter() {
  const { hash } = location;
  if (hash !== '') history.replaceState(null, '', location.pathname);
  let isRefused = false;
  try {
    const token = new URLSearchParams(decodeURIComponent(hash.slice(1))).get('token');
    if (token !== null) {
      await signIn(token);
      say('');
    }
  } catch (error) {
    isRefused = error instanceof Refusal && error.status === 401;
    report(error);
  }
  await refresh();
  if (isRefused && !byId('board', HTMLElement).hidden) say('You are already signed in.');
}

/** Requests the state, shows it, and repeats that after a while, as long as the page is visible. */
async function refresh() {
  const request = ++requests;
  try {
    const state = await getState(board.chartOf);
    if (request !== requests) return;
    show('board');
    board.show(state);
    terms.show(state);
    limits.show(state);
    faultForm.show(state);
    if (isSilent) say('The sandbox responds again.');
    isSilent = false;
  } catch (error) {
    if (request !== requests) return;
    if (error instanceof Refusal && error.status === 401) {
      if (!byId('board', HTMLElement).hidden) leave('You are signed out. Sign in with a new link.');
      show('sign-in');
      return;
    }
    isSilent = true;
    report(error);
  }
  clearTimeout(timer);
  if (document.visibilityState === 'visible') timer = setTimeout(() => void refresh(), intervalMs);
}

/** @param {string} sentence */
function leave(sentence) {
  clearTimeout(timer);
  requests++;
  forms.forget();
  limits.close();
  show('sign-in');
  say(sentence);
  byId('sign-in-title', HTMLElement).focus();
}

/** @param {'board' | 'sign-in'} part */
function show(part) {
  byId('board', HTMLElement).hidden = part !== 'board';
  byId('sign-out', HTMLButtonElement).hidden = part !== 'board';
  byId('sign-in', HTMLElement).hidden = part !== 'sign-in';
}

/** @param {unknown} error */
function report(error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message, 'failed');
}
