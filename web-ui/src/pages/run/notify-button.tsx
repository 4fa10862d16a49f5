import { Button } from '@mantine/core';
import { useState } from 'react';

/** Asks for the permission to notify of the end of a Run. Nothing where that was decided before, or is not possible. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() => ('Notification' in globalThis ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <Button variant="subtle" onClick={() => void Notification.requestPermission().then(setPermission)}>
      Notify me at the end
    </Button>
  );
}
