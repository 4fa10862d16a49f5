import { Button } from '@mantine/core';
import { useState } from 'react';

/** Requests the permission to notify of the end of a Run. Nothing where the evaluator decided before, or where the browser cannot notify. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() =>
    'Notification' in globalThis ? Notification.permission : 'denied',
  );
  if (permission !== 'default') return null;
  return (
    <Button variant="subtle" onClick={() => void Notification.requestPermission().then(setPermission)}>
      Notify me at the end
    </Button>
  );
}
