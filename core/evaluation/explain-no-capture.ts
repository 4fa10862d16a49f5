import type { Evaluation } from './evaluation.ts';
import type { UserAgent } from './user-agent.ts';

/** Why the packets of a User Agent are not captured; null when they are. Only an address of its own distinguishes them from those of others. */
export function explainNoCapture(
  { capture, userAgents }: Pick<Evaluation, 'capture' | 'userAgents'>,
  { name, host, sourceAddress }: UserAgent,
): string | null {
  if (!capture.enabled) return 'The Evaluation says "capture: { enabled: false }"';
  if (sourceAddress === undefined) {
    return 'This User Agent has no address of its own to identify its packets. Give it an "osUser" and a "sourceAddress"';
  }
  const other = userAgents.find(
    (each) => each.name !== name && each.host === host && each.sourceAddress === sourceAddress,
  );
  return other ? `"${other.name}" has the same "sourceAddress", so their packets cannot be distinguished` : null;
}
