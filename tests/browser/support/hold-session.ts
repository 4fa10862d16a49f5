import { openFirefoxSession, openSession } from './open-session.ts';

/** Opens a session in the folder that is named, of chrome or firefox, prints the browser's process id, and waits to be killed: an agent in the midst of its work. */
const open = process.argv[3] === 'firefox' ? openFirefoxSession : openSession;
const session = await open({ temporaryFolder: process.argv[2]! });
console.log(session.processId);
setInterval(() => undefined, 60_000);
