import type { Isolation, NetworkRequest } from '#core/metrics/snapshot.ts';
import { hasContainers } from '../../agent-state/page-access.ts';

/**
 * Chrome gives a connection that it opened ahead the times of one that was kept, and extensions no other word of connections: the first one of an incognito
 * window is new, of others it is not known. Firefox's times are enough.
 */
export function noteConnections(requests: readonly NetworkRequest[], isolation: Isolation): void {
  if (hasContainers()) return;
  const documents = requests.filter((request) => request.isMainDocument && !request.fromCache);
  for (const [index, request] of documents.entries())
    request.isConnectionReused = isolation === 'incognito' && index === 0 ? false : null;
}
