import { AppError } from '#core/app-error.ts';
import { findLocalController } from '../controller/controller-access.ts';
import { OwnerClient } from '../controller/owner-client.ts';
import { askHost } from './ask-host.ts';
import { forEachHost } from './for-each-host.ts';
import { forgetHost, revokeHostTokens } from './host-tokens.ts';
import { failIfAny, type HostsOrder } from './hosts-order.ts';

/** Ends the Agents, removes all that `up` has put on the hosts, and revokes their tokens. */
export async function runHostsDown({ hosts, options, homeFolder, signal, sayOf }: HostsOrder): Promise<void> {
  const owner = options.token === undefined ? await findOwner(homeFolder, signal) : null;
  const failed: string[] = [];
  const results = await forEachHost(hosts, options.parallel, async (host) => {
    const say = (line: string) => sayOf(host.name, line);
    // First, so that an "up" whose connection broke does not join it again.
    const isOwn = owner !== null && (await revokeHostTokens(owner, host.name));
    const answer = await askHost(host, 'down', { signal, debug: options.verbose ? say : () => undefined });
    if (isOwn) await forgetHost(owner, host.name);
    if (answer.kind === 'failed') {
      failed.push(host.name);
      say(answer.reason);
      return { name: host.name, state: 'failed', reason: answer.reason };
    }
    for (const { word, rest } of answer.reports) if (word === 'note') say(rest);
    const wasThere = answer.reports.some(({ word }) => word === 'removed');
    say(wasThere ? 'removed' : 'nothing was there');
    return { name: host.name, state: wasThere ? 'removed' : 'absent', reason: null };
  });
  if (owner === null && options.token === undefined)
    process.stderr.write('You run no Controller here, so tokens of these hosts stay valid until they are revoked\n');
  if (options.json) process.stdout.write(`${JSON.stringify({ hosts: results })}\n`);
  failIfAny(failed, hosts);
}

/** Null where this user runs no Controller: then only the hosts are cleaned. */
async function findOwner(homeFolder: string, signal: AbortSignal): Promise<OwnerClient | null> {
  try {
    return new OwnerClient(await findLocalController(homeFolder), signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-input') return null;
    throw error;
  }
}
