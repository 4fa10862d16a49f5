import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { AppError } from '#core/app-error.ts';

/** This HTTP-AE as a host needs it: sources, and what was built of them. */
export interface ProgramArchive {
  /** Of the contents, so that one that is there is not sent again. */
  id: string;
  bytes: Buffer;
}

/** What an Agent needs of the installed tree, and no more: beside it may be what a person keeps there, such as an inventory, results and backups. A host installs its own `node_modules`. */
const folders = ['agent', 'cli', 'controller', 'core', 'extension', 'httpep', 'probe', 'site', 'testbed'];
const topFiles = ['.npmrc', 'http-ae', 'package-lock.json', 'package.json', 'tsconfig.json'];

/** Packs the installed tree, with changes that were made to it: a host runs what this machine runs. Throws an AppError. */
export async function packProgram(root: string): Promise<ProgramArchive> {
  const files = (await listFiles(root)).sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = await readFile(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return { id: hash.digest('hex').slice(0, 32), bytes: await pack(root, files) };
}

async function listFiles(root: string): Promise<string[]> {
  const found = [...topFiles];
  for (const folder of folders)
    for (const entry of await readdir(path.join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) found.push(path.relative(root, path.join(entry.parentPath, entry.name)));
  return found;
}

async function pack(root: string, files: string[]): Promise<Buffer> {
  const child = spawn('tar', ['-C', root, '--null', '-T', '-', '-czf', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined); // tar says why
  child.stdin.end(files.map((file) => `${file}\0`).join(''));
  try {
    const [[exitCode], bytes, errors] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      buffer(child.stdout),
      text(child.stderr),
    ]);
    if (exitCode !== 0) throw new Error(errors.trim().slice(-500));
    return bytes;
  } catch (cause) {
    throw new AppError('internal', `tar could not pack HTTP-AE for the hosts: ${(cause as Error).message}`, { cause });
  }
}
