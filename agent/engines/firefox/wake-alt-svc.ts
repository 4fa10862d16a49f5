import type { BidiConnection } from './bidi-connection.ts';
import { callInBrowser } from './browser-world.ts';

/** An address of this machine that nobody answers at, and that no page is at. */
const nowhere = 'https://127.0.0.2:9/';

/** Firefox reads what it knows of alternative services when it first asks for anything over TLS, and that request goes without: it is this one. */
export async function wakeAltSvc(connection: BidiConnection): Promise<void> {
  await callInBrowser(connection, {
    text: `(url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.send();
    }`,
    args: [{ type: 'string', value: nowhere }],
  });
}
