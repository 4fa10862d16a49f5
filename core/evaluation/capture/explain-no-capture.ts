import type { Evaluation } from '../evaluation.ts';
import type { UserAgent } from '../users/user-agent.ts';

/** Whether its Agent gives a User Agent an OS user and source ports. The browser of the extension is there before, as whom it is. */
export function isIsolated(
  { capture }: Pick<Evaluation, 'capture'>,
  { engine, osUser, sourceAddress }: UserAgent,
): boolean {
  return (
    capture.enabled && capture.isolate && engine !== 'extension' && osUser === undefined && sourceAddress === undefined
  );
}

/** Why the packets of a User Agent are not captured; null when they are. Only an address of its own distinguishes them from those of others. */
export function explainNoCapture(
  { capture, userAgents }: Pick<Evaluation, 'capture' | 'userAgents'>,
  userAgent: UserAgent,
): string | null {
  const { name, host, sourceAddress } = userAgent;
  if (!capture.enabled) return 'The Evaluation says "capture: { enabled: false }"';
  if (isIsolated({ capture }, userAgent)) return null;
  if (sourceAddress === undefined) {
    return userAgent.osUser === undefined && userAgent.engine !== 'extension'
      ? 'This User Agent has no address of its own to identify its packets. Give it an "osUser" and a "sourceAddress", or write "capture: { isolate: true }" if its Agent is root on Linux'
      : 'This User Agent has no address of its own to identify its packets. Give it an "osUser" and a "sourceAddress"';
  }
  const other = userAgents.find(
    (each) => each.name !== name && each.host === host && each.sourceAddress === sourceAddress,
  );
  return other ? `"${other.name}" has the same "sourceAddress", so their packets cannot be distinguished` : null;
}
