import * as vscode from 'vscode';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { views } from '../ids.ts';
import { canMoveTo, moveTo, type HomePlace } from './savedEdits.ts';
import { entryId, type SavedEntry } from './savedHome.ts';
import type { SavedHomes } from './savedHomes.ts';
import type { SavedNode } from './savedTree.ts';

const mime = `application/vnd.code.tree.${views.savedQueries.toLowerCase()}`;

export interface SavedDragDeps {
  readonly homes: SavedHomes;
  readonly boundary: ErrorBoundary;
  readonly newId: () => string;
}

/** Drag and drop in the view: onto a query means to its place, onto a folder or home into it. */
export class SavedDrag implements vscode.TreeDragAndDropController<SavedNode> {
  readonly dragMimeTypes = [mime];
  readonly dropMimeTypes = [mime];
  readonly #deps: SavedDragDeps;

  constructor(deps: SavedDragDeps) {
    this.#deps = deps;
  }

  handleDrag(nodes: readonly SavedNode[], data: vscode.DataTransfer): void {
    const ids = nodes.flatMap(node => (node.kind === 'item' ? [entryId(node)] : []));
    if (ids.length > 0) data.set(mime, new vscode.DataTransferItem(JSON.stringify(ids)));
  }

  async handleDrop(target: SavedNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const { homes, boundary, newId } = this.#deps;
    try {
      const entries = readIds(await data.get(mime)?.asString()).flatMap(id => homes.find(id) ?? []);
      const place = this.#place(target, entries);
      if (place && canMoveTo(entries, place)) await moveTo(entries, place, newId);
    } catch (error) {
      void boundary.report(error);
    }
  }

  #place(target: SavedNode | undefined, entries: readonly SavedEntry[]): HomePlace | undefined {
    const { homes } = this.#deps;
    const home = target?.home ?? homes.list()[0];
    if (!home) return undefined;
    if (target?.kind !== 'item') return { home };
    if (target.item.kind === 'folder') return { home, folder: target.item.id };
    const found = homes.find(entryId(target));
    if (!found) return undefined;
    // Dragged downwards, an item takes the place of the one it is dropped on, which moves up.
    const at = found.siblings.findIndex(({ id }) => id === target.item.id);
    const first = found.siblings.findIndex(({ id }) =>
      entries.some(entry => entry.home === home && entry.item.id === id),
    );
    const before = found.siblings[first >= 0 && first < at ? at + 1 : at]?.id;
    return { home, folder: found.folder, before };
  }
}

/** What another window or extension put there is no list of ids. */
function readIds(text: string | undefined): string[] {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
