import * as vscode from 'vscode';
import type { ConnectionEndpoints } from '../../service/connectionEndpoints.ts';
import type { QueryArgument } from '../commands/queryArgument.ts';
import { commands, contextKeys } from '../ids.ts';
import { showStatusBarText } from '../messages.ts';
import { displayZone } from '../settings.ts';
import { stressColour, stressLines, stressText, stressTooltip } from '../words/stress.ts';
import { pinnedQuery } from './pinnedStress.ts';
import type { Watching } from './watching.ts';

/** The value grows old without anything happening. */
const lookMs = 60_000;

/** The latest stress in the status bar, while the person has it pinned. */
export class StressStatus {
  readonly #watching: Pick<Watching, 'pinned' | 'onDidChangePinned'>;
  readonly #nowAt: ConnectionEndpoints['nowAt'];
  readonly #item = vscode.window.createStatusBarItem('gridData.stress', vscode.StatusBarAlignment.Right, 101);
  readonly #end: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(watching: Pick<Watching, 'pinned' | 'onDidChangePinned'>, nowAt: ConnectionEndpoints['nowAt']) {
    this.#watching = watching;
    this.#nowAt = nowAt;
    this.#item.name = vscode.l10n.t('Grid Data latest stress');
    this.#end = watching.onDidChangePinned(() => this.#show());
    this.#show();
  }

  dispose(): void {
    this.#end();
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  #show(): void {
    const { pinned } = this.#watching;
    clearTimeout(this.#timer);
    void vscode.commands.executeCommand('setContext', contextKeys.stressPinned, pinned !== undefined);
    if (!pinned) {
      this.#item.hide();
      return;
    }
    const zone = displayZone();
    const lines = stressLines(pinned, zone);
    const query: QueryArgument = { ...pinnedQuery, connection: pinned.connection.name };
    this.#item.command = { title: vscode.l10n.t('Open'), command: commands.runQuery, arguments: [query] };
    showStatusBarText(this.#item, {
      icon: pinned.error && !pinned.latest ? 'warning' : 'dashboard',
      text: stressText(pinned, this.#nowAt(pinned.connection), zone),
      tooltip: stressTooltip(lines),
      spoken: lines.join('. '),
      color: stressColour(pinned),
    });
    this.#timer = setTimeout(() => this.#show(), lookMs);
  }
}
