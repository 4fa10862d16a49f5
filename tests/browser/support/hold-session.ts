import { openSession } from './open-session.ts';

/** Opens a session in the folder that is named, prints the browser's process id, and waits to be killed: an agent in the midst of its work. */
const session = await openSession({ temporaryFolder: process.argv[2]! });
console.log(session.processId);
setInterval(() => undefined, 60_000);
