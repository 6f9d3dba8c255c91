import { t } from '@vscode/l10n';
import { confirm } from '../messages/messages.ts';
import type { AgentRequests } from './agentServer.ts';

/** Asks the person whether an agent outside VS Code may send requests. Shows the range, the connection and the cost. */
export async function confirmAgentRequests({ title, message }: AgentRequests): Promise<boolean> {
  return confirm(title, t('Allow'), message);
}
