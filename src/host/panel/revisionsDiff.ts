import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatRevisions } from '../../core/revisions/formatRevisions.ts';
import { InputError } from '../inputError.ts';
import { revisionsScheme } from '../ids.ts';
import { localizeFrame } from '../messages/catalogue.ts';
import { describeRevisions } from './resultHeader.ts';
import { createInstantFormatter } from '../messages/times.ts';
import type { QuerySession } from './querySession.ts';

/** Shows revisions in VS Code's diff editor: previous values on the left, current values on the right. */
export class RevisionsDiff implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #subscription: vscode.Disposable;
  #diffCount = 0;

  constructor() {
    this.#subscription = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString()));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? t('The changes are no longer available. Run the query again.');
  }

  /** Opens the diff editor. Throws InputError if the result has no revisions. */
  async show({ result, zone, name }: Pick<QuerySession, 'result' | 'zone' | 'name'>): Promise<void> {
    if (!result?.revisions)
      throw new InputError(t("No data has changed. To request everything again, run 'Refresh, Ignoring Archive'."));
    const { revisions, provenance } = result;
    const described = {
      ...revisions,
      before: localizeFrame(revisions.before),
      after: localizeFrame(revisions.after),
    };
    const labels = {
      time: createInstantFormatter(zone),
      withdrawn: t('withdrawn'),
      noValue: t('no value'),
      more: t('… and more.'),
    };
    const texts = formatRevisions(described, labels);
    const diffId = ++this.#diffCount;
    const [left, right] = (['before', 'after'] as const).map(side => {
      const uri = vscode.Uri.from({ scheme: revisionsScheme, path: `/${diffId}/${side}` });
      this.#texts.set(uri.toString(), texts[side]);
      return uri;
    });
    const title = `${name}: ${describeRevisions(revisions, provenance, zone)}`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  }
}
