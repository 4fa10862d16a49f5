import { once } from 'node:events';
import { watchParent } from '#cli/agent/watch-parent.ts';
import { openTestServer } from './open-test-server.ts';

// A program that `./http-ae test` starts: it sends the URL of a PostgreSQL, which it stops when its parent is gone.
// Ctrl-C reaches the whole process group: the parent ends first, when the tests have ended.
process.on('SIGINT', () => {});
using parent = watchParent();
await using server = await openTestServer();
process.send?.(server.url);
if (!parent.signal.aborted) await once(parent.signal, 'abort');
