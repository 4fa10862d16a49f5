import { Button } from '@mantine/core';
import { useState } from 'react';

/** Asks for the permission to tell of the end of a Run; nothing where that was decided, or cannot be. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() => ('Notification' in globalThis ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <Button variant="subtle" onClick={() => void Notification.requestPermission().then(setPermission)}>
      Notify me at the end
    </Button>
  );
}
