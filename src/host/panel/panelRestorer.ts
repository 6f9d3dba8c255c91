import * as vscode from 'vscode';
import type { Connections } from '../../service/connections/connections.ts';
import { panelTypes } from '../ids.ts';
import type { QuerySessions } from './querySessions.ts';
import { readSavedPanel } from './savedPanel.ts';

export interface PanelRestorerDeps {
  readonly connections: Pick<Connections, 'byId'>;
  readonly sessions: Pick<QuerySessions, 'restore'>;
}

/** Brings result panels back after a restart: from the archive, without a request. One that cannot be is closed. */
export function registerPanelRestorer({ connections, sessions }: PanelRestorerDeps): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(panelTypes.result, {
    async deserializeWebviewPanel(panel, state) {
      const saved = readSavedPanel(state);
      const connection = saved && connections.byId(saved.connection);
      if (connection) await sessions.restore({ ...saved, connection }, panel);
      else panel.dispose();
    },
  });
}
