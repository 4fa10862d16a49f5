import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { nameDataFolder, runAsAccount, type Account } from './choose-account.ts';

/** The role that HTTP-AE works as: it owns its database, and may do nothing outside of it. */
export const applicationRole = 'http_ae_controller';

/** Made with the data folder; PostgreSQL does not let it be less than a superuser. */
export const superuser = 'http_ae';

/**
 * Gives HTTP-AE's database to a role that is no superuser, and lets the superuser sign in no more. Works on the data folder without a server, where
 * no password is needed; data of any version is brought to the same state. Throws when a server has the folder, or it cannot be repaired.
 */
export async function separateRoles(
  account: Account,
  { dataFolder, password, signal }: { dataFolder: string; password: string; signal: AbortSignal },
): Promise<void> {
  await runAsAccount(account, {
    program: 'postgres',
    dataFolder,
    // -j: a statement ends with an empty line. The password is in it: it goes into no log.
    args: [
      '--single',
      '-j',
      '-D',
      nameDataFolder(account, dataFolder),
      ...settings.flatMap((setting) => ['-c', setting]),
      'postgres',
    ],
    input: `${sqlFor(password)};\n\n`,
    signal,
  });
}

const settings = ['exit_on_error=on', 'log_min_error_statement=panic', 'unix_socket_directories='];

/** Sequences and indexes go with their tables. */
function sqlFor(password: string): string {
  return `do $roles$
declare
  item record;
begin
  if not exists (select from pg_roles where rolname = '${applicationRole}') then
    create role ${applicationRole};
  end if;
  alter role ${applicationRole} login nosuperuser nocreaterole noreplication nobypassrls password ${quote(password)};
  alter role ${superuser} nologin password null;
  if (select pg_get_userbyid(datdba) from pg_database where datname = 'postgres') <> '${applicationRole}' then
    alter database postgres owner to ${applicationRole};
  end if;
  for item in
    select format('alter table %s owner to ${applicationRole}', oid::regclass) as command
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') and relowner = '${superuser}'::regrole
    union all
    select format('alter sequence %s owner to ${applicationRole}', oid::regclass)
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S' and relowner = '${superuser}'::regrole
      and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to ${applicationRole}', oid::regprocedure)
    from pg_proc
    where pronamespace = 'public'::regnamespace and proowner = '${superuser}'::regrole
    union all
    select format('alter type %s owner to ${applicationRole}', oid::regtype)
    from pg_type
    where typnamespace = 'public'::regnamespace and typowner = '${superuser}'::regrole and typrelid = 0 and typtype <> 'b'
  loop
    execute item.command;
  end loop;
end
$roles$`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const AccessSchema = z.object({ port: z.number().int().positive().nullable(), password: z.string().min(1) });

/** How the embedded server is reached; the port is null until it was started for the first time. */
type Access = z.infer<typeof AccessSchema>;

/**
 * Reads the access file of an installation, and makes it, with a random password, where there is none. Of several
 * processes that make it at once one wins, and all have the same password.
 */
export async function ensureAccess(folder: string): Promise<Access> {
  const file = accessFile(folder);
  try {
    return AccessSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = await writeBeside(file, { port: null, password: randomBytes(24).toString('base64url') });
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own);
  }
  return ensureAccess(folder);
}

export async function storeAccess(folder: string, access: Access): Promise<void> {
  const file = accessFile(folder);
  await rename(await writeBeside(file, access), file);
}

export function databaseUrlOf({ port, password }: { port: number; password: string }): string {
  return `postgres://${applicationRole}:${password}@127.0.0.1:${port}/postgres`;
}

function accessFile(folder: string): string {
  return path.join(folder, 'access.json');
}

async function writeBeside(file: string, access: Access): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, JSON.stringify(access), { mode: 0o600, flag: 'wx' });
  return temporary;
}
