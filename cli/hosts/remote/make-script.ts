import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export type RemoteTask = 'up' | 'status' | 'down';

/** What `up.sh` needs to know. */
export interface UpAssignments {
  archiveId: string;
  archiveBytes: number;
  controller: string;
  token: string;
  lifetime: 'channel' | 'service';
  agentArguments: readonly string[];
}

/** The name of a host's folder and unit there: short, because sockets of browsers are in it, and without letters that a shell knows. */
export function idOfHost(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8);
}

/** A script for a host by this name, with the values that it is about. */
export function makeScript(task: RemoteTask, name: string, up?: UpAssignments): string {
  const assignments = {
    id: idOfHost(name),
    name,
    ...(up && {
      archive_id: up.archiveId,
      archive_bytes: String(up.archiveBytes),
      token: up.token,
      lifetime: up.lifetime,
      agent_words: ['--controller', up.controller, '--name', name, ...up.agentArguments].map(quote).join(' '),
      // systemd fills in what begins with "%", and continues a line that ends with a backslash.
      description: `Agent ${name} of HTTP-AE`.replaceAll('%', '%%'),
    }),
  };
  const lines = Object.entries(assignments).map(([key, value]) => `${key}=${quote(value)}\n`);
  return `${lines.join('')}${read('common')}${read(task)}`;
}

function read(name: string): string {
  return readFileSync(path.join(import.meta.dirname, `${name}.sh`), 'utf8');
}

/** One word for a POSIX shell. */
function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
