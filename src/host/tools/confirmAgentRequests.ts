import { t } from '@vscode/l10n';
import { confirm } from '../messages/messages.ts';
import { formatRequests } from '../messages/numbers.ts';
import type { AgentRequests } from './agentServer.ts';

/** Asks the person whether an agent outside VS Code may send requests. Shows the range, the connection and the cost. */
export async function confirmAgentRequests({ requests, title, message }: AgentRequests): Promise<boolean> {
  return confirm(t('Allow the agent to send {0}?', formatRequests(requests)), t('Allow'), `${title}\n${message}`);
}
