import { writeFile, open } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import type { HttpepEnd } from '#core/protocol/httpep-end.ts';
import { makeOwnFolder } from '../own-folder.ts';

/** Read of the file, and kept of it. */
const mostReadBytes = 1024 * 1024;
const mostKeptCharacters = 24 * 1024;

const isPage = (line: string) => line.includes('"kind":"page"');

/** A shell command, and the files that it needs until this is disposed of. */
export interface HttpepCommand extends AsyncDisposable {
  command: string;
  /** What it has counted, as JSON lines. */
  readCounters(): Promise<string>;
}

const testbedAddresses = new BlockList();
testbedAddresses.addSubnet('198.18.0.0', 15, 'ipv4');

/** Whether this end can be reached in a testbed only (RFC 2544): there it does no harm, so it needs no `--allow-scripts`. */
export function isInTestbed({ listen }: Pick<HttpepEnd, 'listen'>): boolean {
  const address = listen.slice(0, listen.lastIndexOf(':'));
  return !address.startsWith('[') && testbedAddresses.check(address, 'ipv4');
}

/** `launcher`: the words that start HTTP-AE on this host. */
export async function writeHttpepCommand(launcher: readonly string[], end: HttpepEnd): Promise<HttpepCommand> {
  const folder = await makeOwnFolder(tmpdir(), 'httpep');
  const write = async (name: string, text: string) => {
    const file = path.join(folder.path, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const key = await write('key', end.key);
  const counters = path.join(folder.path, 'counters');
  const classes =
    end.end === 'ground' && end.classes !== null
      ? ['--classes', await write('classes.yaml', stringify(end.classes))]
      : [];
  const tls = end.end === 'remote' && end.tlsKey !== null ? ['--tls-key', await write('tls-key', end.tlsKey)] : [];
  const words = [
    ...launcher,
    'pep',
    end.end,
    '--listen',
    end.listen,
    '--key',
    key,
    '--counters',
    counters,
    ...optionsOf(end),
    ...classes,
    ...tls,
  ];
  return {
    command: `exec ${words.map(quote).join(' ')}`,
    readCounters: () => readLastCounters(counters),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function optionsOf(end: HttpepEnd): string[] {
  if (end.end === 'remote') {
    const { ground, connections, clients } = end;
    return ['--ground', ground, '--connections', String(connections), '--clients', clients.join(',')];
  }
  const { rateKbps, paceRatio, scheduler, bundling, text, images, imageQuality, trustedKeys, viewport } = end;
  return [
    ...(rateKbps === null ? [] : ['--rate', String(rateKbps), '--pace-ratio', String(paceRatio)]),
    ...['--scheduler', scheduler, '--text', text, '--images', images],
    ...(images === 'none' ? [] : ['--image-quality', String(imageQuality)]),
    ...['--viewport', `${viewport.widthPx}x${viewport.heightPx}`],
    ...(trustedKeys.length > 0 ? ['--trusted-keys', trustedKeys.join(',')] : []),
    ...(bundling ? [] : ['--no-bundling']),
    '--allow-private',
  ];
}

const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The last state of each counter in a file of `pep --counters`, as JSON lines without their times; empty where there is none. */
async function readLastCounters(file: string): Promise<string> {
  const last = new Map<string, string>();
  for (const line of (await readTail(file)).split('\n')) {
    const counts = parseCounts(line);
    if (counts === null) continue;
    const { kind, user, tunnel, slot, url, startedAt } = counts;
    last.set(JSON.stringify([kind, user, tunnel, slot, url, startedAt]), `${JSON.stringify(counts)}\n`);
  }
  let kept = '';
  // Pages are many: where not all fit, they leave room for users and connections.
  const inOrder = [...last.values()].toSorted((one, other) => Number(isPage(one)) - Number(isPage(other)));
  for (const line of inOrder) if (kept.length + line.length <= mostKeptCharacters) kept += line;
  return kept;
}

async function readTail(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const length = Math.min(size, mostReadBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Null for a line that was cut. */
function parseCounts(line: string): Record<string, unknown> | null {
  try {
    const { at, ...counts } = JSON.parse(line) as Record<string, unknown>;
    return at === undefined ? null : counts;
  } catch {
    return null;
  }
}
