import { randomUUID } from 'node:crypto';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { CaptureOrder } from '#core/protocol/capture-order.ts';

/** The order for every Capture Point in one Round; none where the Evaluation captures nothing. */
export function orderCaptures(
  { capture, capturePoints }: Evaluation,
  round: { id: string; endAfterMs: number },
): { order: CaptureOrder; agent: string }[] {
  if (!capture.enabled) return [];
  const { snapBytes, maxBytesPerPass, keepTraces } = capture;
  return capturePoints.map((point) => ({
    agent: point.host,
    order: {
      captureId: randomUUID(),
      roundId: round.id,
      capturePoint: point.name,
      interface: point.interface,
      filter: point.filter,
      limits: { snapBytes: point.snapBytes ?? snapBytes, maxBytesPerPass, keepTraces },
      endAfterMs: round.endAfterMs,
    },
  }));
}
