import { useEffect, useRef } from 'react';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '../../api/queries.ts';

/** Reports the end of a watched Run by a notification of the browser, where the evaluator permitted them. */
export function useEndNotification({
  id,
  state,
  evaluationName,
  problem,
}: Pick<RunDetail, 'id' | 'state' | 'evaluationName' | 'problem'>): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen(state)) {
      wasOpen.current = true;
      return;
    }
    if (!wasOpen.current) return;
    wasOpen.current = false;
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
    new Notification(`Run ${id} ${state}: ${evaluationName}`, {
      tag: `run-${id}`,
      ...(problem !== null && { body: problem }),
    });
  }, [id, state, evaluationName, problem]);
}
