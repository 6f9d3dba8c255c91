import * as vscode from 'vscode';
import { views } from '../ids.ts';
import { createTreeView } from '../messages.ts';
import { ConnectionsTree, type ConnectionsTreeDeps } from './connectionsTree.ts';

/** The view Connections, and the one in its place until there is a connection: that one only says how to begin. */
export function registerConnectionsView(deps: ConnectionsTreeDeps): vscode.Disposable {
  const tree = new ConnectionsTree(deps);
  const nothing: vscode.TreeDataProvider<never> = { getChildren: () => [], getTreeItem: node => node };
  return vscode.Disposable.from(
    tree,
    createTreeView(views.connections, { treeDataProvider: tree }),
    createTreeView(views.firstConnection, { treeDataProvider: nothing }),
  );
}
