import { takeRows } from '../../core/frame/clip.ts';
import { removeHidden } from '../../core/inertText.ts';
import { listBuffers, dictionaryOf, replaceTexts, type Column, type Frame } from '../../shared/frame.ts';
import type { Messenger } from '../../shared/messenger.ts';
import {
  type DisplayZone,
  type HeaderPart,
  type HostMethods,
  type PageMethods,
  type QueryTools,
  type SettledState,
  type TableState,
  type ViewState,
  namedState,
} from '../../shared/protocol.ts';

/** The number of rows sent ahead: more than fit on any screen, and few enough to transfer at once. */
const headRows = 200;
/** Tables with fewer rows are sent in one message, because two would not be faster. */
const longTableRows = 2000;

/**
 * Sends the state to a page, and again after the page was hidden, moved or reloaded. The first rows of a long table are sent
 * ahead, so that the user can read them while the rest is transferred.
 */
export class WebviewStatePublisher {
  readonly #page: Pick<Messenger<HostMethods, PageMethods>, 'notify'>;
  #state: ViewState;
  /** The content that stays on the page while newer rows load. A page that becomes visible again needs it first. */
  #content: SettledState | undefined;
  #ready = false;
  /** Set while the first rows are being sent. The latest state follows them. */
  #pendingHead: object | undefined;

  constructor(state: ViewState, page: Pick<Messenger<HostMethods, PageMethods>, 'notify'>) {
    this.#state = sanitizeState(state);
    this.#page = page;
  }

  /** The complete content that the page shows, also while newer rows load; undefined while it shows a part of a result. */
  get settled(): SettledState | undefined {
    const state = this.#state;
    const content = this.#content;
    const isPart = state.view === 'loading' && state.content === 'partial';
    const isHead = content?.view === 'table' && content.isHead;
    return isPart || isHead ? undefined : content;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  show(viewState: ViewState): void {
    const state = sanitizeState(viewState);
    const isFirst = this.#content?.view !== 'table';
    // The first rows of a table do not replace a table that is already displayed.
    if (state.view === 'table' && state.isHead && !isFirst) return;
    this.#state = state;
    if (state.view !== 'loading') this.#content = state;
    if (!this.#ready || this.#pendingHead) return;
    const head = isFirst ? createHead(state) : undefined;
    if (head) this.#sendHead(head);
    else this.#send(state);
  }

  /** Shows the same rows in another time zone; only texts change. */
  showZone(zone: DisplayZone, parts: readonly HeaderPart[]): void {
    const header = sanitize(parts);
    const inZone = <State extends ViewState>(state: State): State =>
      state.view === 'table' ? { ...state, zone, header } : state;
    this.#state = inZone(this.#state);
    this.#content &&= inZone(this.#content);
    if (this.#ready) void this.#page.notify('zone', { zone, header });
  }

  /** Updates the names of the query. The result and the offered actions stay. */
  updateNames(panelTitle: string, texts: Omit<QueryTools, 'actions'>): void {
    const title = sanitize(panelTitle);
    const named = sanitize(texts);
    this.#state = namedState<ViewState>(this.#state, title, named);
    this.#content &&= namedState<SettledState>(this.#content, title, named);
    if (this.#ready) void this.#page.notify('names', { title, named });
  }

  /** Sends everything to a page that has just loaded. */
  pageReady(): void {
    this.#ready = true;
    this.#pendingHead = undefined;
    this.#sendAll();
  }

  #sendHead(head: ViewState): void {
    const pendingHead = (this.#pendingHead = {});
    const sendRest = (): void => {
      // Another page has loaded in the meantime, and has received everything.
      if (this.#pendingHead !== pendingHead) return;
      this.#pendingHead = undefined;
      this.#sendAll();
    };
    this.#send(head).then(sendRest, sendRest);
  }

  #sendAll(): void {
    if (this.#content && this.#state.view === 'loading') void this.#send(this.#content);
    void this.#send(this.#state);
  }

  #send(state: ViewState): PromiseLike<unknown> {
    return this.#page.notify('state', state.view === 'table' ? limitBuffers(state) : state);
  }
}

/** The members of a state that hold received data, which is not changed. */
const receivedMembers = ['frame', 'history', 'coverage', 'compared', 'text'];

/** Removes hidden characters from the texts of a state, which contain names from outside. Received data stays as it is. */
function sanitizeState(state: ViewState): ViewState {
  const parts = Object.entries<unknown>(state).map(([name, value]) => [
    name,
    receivedMembers.includes(name) ? value : sanitize(value),
  ]);
  return Object.fromEntries(parts) as ViewState;
}

/** Returns a copy without characters that hide text or reverse its direction. */
function sanitize<T>(value: T): T {
  if (typeof value === 'string') return removeHidden(value) as T & string;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sanitize) as T & unknown[];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, sanitize(part)])) as T & object;
}

/** Returns the state with its first rows only; undefined if it is small enough for one message. */
function createHead(state: ViewState): ViewState | undefined {
  if (state.view !== 'table' || state.frame.rowCount < longTableRows) return undefined;
  const rows = Uint32Array.from({ length: headRows }, (_, row) => row);
  // Copies the rows, because a subarray would transfer the whole column.
  const { columns } = takeRows(state.frame, rows);
  const { history: _, ...rest } = state;
  return { ...rest, frame: { rowCount: headRows, columns: columns.map(trimDictionary) }, isHead: true };
}

/** Removes the dictionary entries that only later rows use. */
function trimDictionary(column: Column): Column {
  const texts = dictionaryOf(column);
  if (!texts) return column;
  // Entries are usually numbered in the order in which they first appear.
  const last = texts.codes.reduce((max, code) => Math.max(max, code), 0);
  return replaceTexts(column, texts.entries.slice(0, last + 1));
}

type NumberArray = Float64Array | Uint32Array | Uint8Array;

/**
 * The maximum number of buffers in a message. VS Code counts the parts of a message to a webview in one byte and silently drops
 * all parts beyond about 250; the parts outside the frame take about a dozen.
 */
const maxBuffers = 200;
/** Every typed array can begin at a multiple of this many bytes. */
const alignment = 8;

/** Copies the columns into one buffer per frame if the state has too many buffers for one message. */
function limitBuffers(state: TableState): TableState {
  const { frame, history } = state;
  const columns = [...frame.columns, ...(history?.columns ?? [])];
  if (new Set(columns.flatMap(listBuffers)).size <= maxBuffers) return state;
  return { ...state, frame: copyToOneBuffer(frame), ...(history && { history: copyToOneBuffer(history) }) };
}

function copyToOneBuffer(frame: Frame): Frame {
  let size = 0;
  mapColumns(frame, numbers => {
    size += getAlignedSize(numbers);
    return numbers;
  });
  const buffer = new ArrayBuffer(size);
  let offset = 0;
  return mapColumns(frame, numbers => {
    const copy = createView(numbers, buffer, offset);
    copy.set(numbers);
    offset += getAlignedSize(numbers);
    return copy;
  });
}

function mapColumns(frame: Frame, change: (numbers: NumberArray) => NumberArray): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => mapNumbers<Column>(column, change)) };
}

/** Replaces every typed array in a column, including those of its dictionary. */
function mapNumbers<T>(part: T, change: (numbers: NumberArray) => NumberArray): T {
  if (isNumbers(part)) return change(part) as T & NumberArray;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, mapNumbers<unknown>(inner, change)]),
  ) as T & object;
}

function isNumbers(part: unknown): part is NumberArray {
  return part instanceof Float64Array || part instanceof Uint32Array || part instanceof Uint8Array;
}

function createView(numbers: NumberArray, buffer: ArrayBuffer, offset: number): NumberArray {
  if (numbers instanceof Float64Array) return new Float64Array(buffer, offset, numbers.length);
  if (numbers instanceof Uint32Array) return new Uint32Array(buffer, offset, numbers.length);
  return new Uint8Array(buffer, offset, numbers.length);
}

function getAlignedSize({ byteLength }: NumberArray): number {
  return Math.ceil(byteLength / alignment) * alignment;
}
