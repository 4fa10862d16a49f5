import type { BidiConnection } from './bidi-connection.ts';
import { callInBrowser } from './browser-world.ts';

/**
 * Closes the connections that nobody uses. Those of a user context that is gone would stay for two minutes, and end amid a later Visit.
 * https://searchfox.org/mozilla-central/source/netwerk/protocol/http/nsHttpHandler.cpp
 */
export async function closeIdleConnections(connection: BidiConnection): Promise<void> {
  await callInBrowser(connection, { text: `() => Services.obs.notifyObservers(null, 'net:prune-all-connections')` });
}
