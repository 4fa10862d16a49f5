import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ownName = 'http-ae';

/** An OS user that PostgreSQL may run as. */
export interface Owner {
  userId: number;
  groupId: number;
  name: string;
}

/** The OS users that PostgreSQL may run as, the best first: one that nothing else uses, which is made where there is none. */
export async function* findAccountOwners(): AsyncGenerator<Owner> {
  const own = (await findOwner(ownName)) ?? (await makeOwner());
  if (own) yield own;
  for (const name of ['postgres', 'nobody']) {
    const owner = await findOwner(name);
    if (owner) yield owner;
  }
}

async function makeOwner(): Promise<Owner | null> {
  const settings = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ];
  const environment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
  // It fails where another start is quicker, and where accounts cannot be made; the next line shows which.
  await execute('useradd', [...settings, ownName], { env: environment }).catch(() => undefined);
  return findOwner(ownName);
}

/** Null where there is no such user. */
async function findOwner(name: string): Promise<Owner | null> {
  try {
    const [userId, groupId] = await Promise.all(
      ['-u', '-g'].map(async (option) => Number((await execute('id', [option, name])).stdout)),
    );
    return userId && groupId ? { userId, groupId, name } : null;
  } catch {
    return null; // id ends with 1 when there is no such user
  }
}
