import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';

/** Requests the permission to notify of the end of a Run. Nothing where the evaluator decided before, or where the browser cannot notify. */
export function NotifyButton() {
  const [isOffered, setOffered] = useState(
    () => 'Notification' in globalThis && Notification.permission === 'default' && notify(''),
  );
  if (!isOffered) return null;
  const request = () =>
    void Notification.requestPermission().then((permission) => setOffered(permission === 'default'));
  return (
    <Button variant="subtle" onClick={request}>
      Notify me at the end
    </Button>
  );
}

/** Whether this browser can: those of phones have notifications by name, and throw an error. Nothing is shown without the permission. */
function notify(title: string, options: NotificationOptions = {}): boolean {
  try {
    new Notification(title, options);
    return true;
  } catch {
    return false;
  }
}

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
    notify(`Run ${id} ${state}: ${evaluationName}`, {
      tag: `run-${id}`,
      ...(problem !== null && { body: problem }),
    });
  }, [id, state, evaluationName, problem]);
}
