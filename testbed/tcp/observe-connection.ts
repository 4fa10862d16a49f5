import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-tool.ts';

const programs = import.meta.dirname;

/** Makes a connection from one place to another, and returns what the kernel reports of its beginning. Throws `testbed-failed`. */
export async function observeConnection(enter: Enter, peer: { enter: Enter; address: string }): Promise<SocketReport> {
  await using listener = await startListener(peer);
  const output = await runIn(
    enter,
    process.execPath,
    path.join(programs, 'show-connection.ts'),
    peer.address,
    listener.port,
  );
  const report = readSocketReport(output);
  if (!report)
    throw new AppError(
      'testbed-failed',
      `The kernel reports nothing about a connection to ${peer.address}: ss printed ${JSON.stringify(output)}`,
    );
  return report;
}

async function startListener({
  enter,
  address,
}: {
  enter: Enter;
  address: string;
}): Promise<{ port: string } & AsyncDisposable> {
  const [program, ...words] = [...enter, process.execPath, path.join(programs, 'accept-connections.ts'), address];
  // It ends with its standard input, and so with this process, however that ends.
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
  const errors = text(child.stderr);
  const closed = once(child, 'close');
  const [port] = (await Promise.race([once(createInterface(child.stdout), 'line'), closed])) as [unknown];
  if (typeof port !== 'string')
    throw new AppError(
      'testbed-failed',
      `Cannot listen at ${address} on the other side of the link: ${/^\w*Error: .*/m.exec(await errors)?.[0] ?? 'it ended'}`,
    );
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL'); // it holds nothing that outlives it
      await closed;
    },
  };
}

/** What the kernel reports of one connection. */
export interface SocketReport {
  congestionControl: string;
  /** Congestion window. */
  windowSegments: number;
  /** The largest packet that it sends. */
  pathMtuBytes: number;
  /** Of the window that it advertises, as a power of two. */
  receiveWindowScale: number;
  /** Memory for what arrives, and for what is sent; the kernel's overhead included. */
  receiveMemoryBytes: number;
  sendMemoryBytes: number;
  usesEcn: boolean;
}

/** Reads the line that `ss -tiOm` prints of a connection; the variant comes before the first of the figures (tcp_stats_print in iproute2). Null when it is none. */
function readSocketReport(line: string): SocketReport | null {
  const congestionControl = /(?<!\S)(\S+) (?:wscale:\S+ )?rto:/.exec(line)?.[1];
  const windowSegments = readNumber(line, /\bcwnd:(\d+)/);
  const pathMtuBytes = readNumber(line, /\bpmtu:(\d+)/);
  const receiveMemoryBytes = readNumber(line, /\bskmem:\([^)]*\brb(\d+)/);
  const sendMemoryBytes = readNumber(line, /\bskmem:\([^)]*\btb(\d+)/);
  if (
    congestionControl === undefined ||
    windowSegments === undefined ||
    pathMtuBytes === undefined ||
    receiveMemoryBytes === undefined ||
    sendMemoryBytes === undefined
  )
    return null;
  return {
    congestionControl,
    windowSegments,
    pathMtuBytes,
    receiveWindowScale: readNumber(line, /\bwscale:\d+,(\d+)/) ?? 0,
    receiveMemoryBytes,
    sendMemoryBytes,
    usesEcn: /(?<!\S)ecn(?!\S)/.test(line),
  };
}

function readNumber(line: string, pattern: RegExp): number | undefined {
  const text = pattern.exec(line)?.[1];
  return text === undefined ? undefined : Number(text);
}
