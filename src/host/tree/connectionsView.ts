import * as vscode from 'vscode';
import { views } from '../ids.ts';
import { ConnectionsTree, type ConnectionsTreeDeps } from './connectionsTree.ts';

/** While somebody looks at the view, slots free and other windows spend. */
const lookMs = 5_000;

/** The view Connections; it looks again by itself only while it is visible. */
export function registerConnectionsView(deps: ConnectionsTreeDeps): vscode.Disposable {
  const tree = new ConnectionsTree(deps);
  const view = vscode.window.createTreeView(views.connections, { treeDataProvider: tree });
  const timer = setInterval(() => {
    if (view.visible && vscode.window.state.focused) tree.refresh();
  }, lookMs);
  return vscode.Disposable.from(view, tree, { dispose: () => clearInterval(timer) });
}
