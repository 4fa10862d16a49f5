import { writeFile } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import type { HttpepEnd } from '#core/protocol/httpep-end.ts';
import { makeOwnFolder } from '../own-folder.ts';
import { readLastCounters } from './read-last-counters.ts';

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
