import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { prepareUser, type UserSettings } from '#agent/users/prepare-user.ts';
import type { AppError } from '#core/app-error.ts';

/** Prepares users one after the other and prints of each where its connection to `host` came from, or why there is no such user. */
const { users, host } = JSON.parse(process.argv[2]!) as { users: UserSettings[]; host: string };

const server = createServer((socket) => socket.end(socket.remoteAddress ?? 'gone'));
server.listen(0, host);
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

await using stack = new AsyncDisposableStack();
const answers: unknown[] = [];
for (const settings of users) {
  try {
    const { osUser } = stack.use(await prepareUser(settings));
    const ask = ['bash', '-c', `exec 3<>/dev/tcp/${host}/${port}; cat <&3`];
    const become = osUser ? ['setpriv', `--reuid=${osUser.uid}`, `--regid=${osUser.gid}`, '--clear-groups', '--'] : [];
    const [program, ...args] = [...become, ...ask];
    answers.push((await promisify(execFile)(program!, args)).stdout);
  } catch (error) {
    answers.push(`${(error as AppError).code}: ${(error as AppError).message}`);
  }
}
server.close();
await stack.disposeAsync();
console.log(JSON.stringify(answers));
