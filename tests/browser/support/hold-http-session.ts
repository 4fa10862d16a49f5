import { openHttpSession } from './open-http-session.ts';

/** Opens a session, prints the id of its process, and waits to be killed: an Agent in the midst of its work. */
const session = await openHttpSession();
console.log(session.processId);
setInterval(() => undefined, 60_000);
