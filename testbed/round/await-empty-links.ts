import { setTimeout as pause } from 'node:timers/promises';
import type { LinkProfile } from '#core/evaluation/network/link-profile.ts';
import type { LinkBackend } from '../link/link-backend.ts';

/** A queue that is not empty by then is left: the next link check finds what it does. */
const emptyWithinMs = 30_000;
const pollMs = 50;
const spareMs = 200;

/** Waits until nothing waits on the links, and what flies over them has arrived. */
export async function awaitEmptyLinks(
  links: readonly { link: Pick<LinkBackend, 'statistics'>; profile: LinkProfile }[],
): Promise<void> {
  const deadlineMs = performance.now() + emptyWithinMs;
  for (const { link } of links) {
    for (;;) {
      const { forward, return: back } = await link.statistics();
      if (forward.queuedPackets + back.queuedPackets === 0 || performance.now() > deadlineMs) break;
      await pause(pollMs);
    }
  }
  // There and back: what arrives may be answered, as a reset connection is.
  const flightMs = links.flatMap(({ profile }) => [profile.forward, profile.return]);
  await pause(flightMs.reduce((sum, { delayMs, jitterMs }) => sum + delayMs + jitterMs, spareMs));
}
