import * as v from 'valibot';
import { panelActions, type HostMessage, type PageMessage } from '../../shared/protocol.ts';

const id = v.number();
const shownColumns = v.array(v.object({ name: v.string(), isEnd: v.exactOptional(v.literal(true)) }));
const shownRows = v.exactOptional(v.instance(Uint32Array));
const shownTable = v.object({
  ...{ rows: shownRows, columns: shownColumns, missingRows: v.boolean(), isChanged: v.boolean() },
  rowCount: v.number(),
  selection: v.exactOptional(v.object({ rows: shownRows, columns: shownColumns })),
});
const pageMessage = v.variant('type', [
  v.object({ id, type: v.literal('ready') }),
  v.object({ id, type: v.literal('act'), action: v.picklist(panelActions) }),
  v.object({ id, type: v.literal('setZone'), timeZone: v.pipe(v.string(), v.maxLength(100)) }),
  v.object({ id, type: v.literal('askRaw') }),
  v.object({ id, type: v.literal('tabOpened') }),
  v.object({
    ...{ id, type: v.literal('saveFile'), name: v.pipe(v.string(), v.regex(/^[\w .()-]{1,100}\.(?:png|svg)$/)) },
    data: v.pipe(v.instance(Uint8Array), v.maxLength(50_000_000)),
  }),
  v.object({ id, type: v.literal('shown'), ticket: v.number(), shown: v.exactOptional(shownTable) }),
  v.object({ id, type: v.literal('pageError'), message: v.pipe(v.string(), v.maxLength(10_000)) }),
]);

/**
 * Answers every message of a page exactly once, also where handling it throws: a page never waits for ever. A message of
 * another shape than the protocol's is refused. `handle` returns once the request is taken: what takes
 * long reports through the state.
 */
export function answer(
  raw: unknown,
  handle: (message: PageMessage) => void,
  post: (message: HostMessage) => void,
): void {
  const parsed = v.safeParse(pageMessage, raw);
  if (!parsed.success) {
    const { id: given } = (typeof raw === 'object' && raw !== null ? raw : {}) as { readonly id?: unknown };
    if (typeof given === 'number') post({ type: 'reply', id: given, error: 'Unknown message.' });
    return;
  }
  try {
    handle(parsed.output);
    post({ type: 'reply', id: parsed.output.id });
  } catch (error) {
    post({ type: 'reply', id: parsed.output.id, error: error instanceof Error ? error.message : String(error) });
  }
}
