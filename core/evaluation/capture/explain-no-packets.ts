import type { Evaluation } from '../evaluation.ts';
import { explainNoCapture } from './explain-no-capture.ts';

/** Why an Evaluation has the packets of no User Agent captured, and what to do; null when it has those of one. */
export function explainNoPackets(evaluation: Pick<Evaluation, 'capture' | 'userAgents'>): string | null {
  const { capture, userAgents } = evaluation;
  if (!capture.enabled) return 'The Evaluation says "capture: { enabled: false }". Remove that to capture packets';
  const reasons = userAgents.map((userAgent) => explainNoCapture(evaluation, userAgent));
  if (reasons.includes(null)) return null;
  if (userAgents.every(({ sourceAddress }) => sourceAddress === undefined)) {
    return 'No User Agent has an address of its own to identify its packets. Give each an "osUser" and a "sourceAddress", or write "capture: { isolate: true }" if the Agents are root on Linux';
  }
  return `${userAgents[0]!.name}: ${reasons[0]!}`;
}
