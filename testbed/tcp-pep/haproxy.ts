import { spawn } from 'node:child_process';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { readProxyCounters, type ProxyCounters } from './proxy-counters.ts';

/** Where it gets connections, and where it reports what it did: on the loopback interface of its node alone. */
export const haproxyPort = 5080;
const statisticsPort = 5081;

const keptErrorCharacters = 2_000;
const configuration = path.join(import.meta.dirname, 'haproxy.cfg');
const statisticsProgram = path.join(import.meta.dirname, 'show-statistics.ts');

/** haproxy in a node, which splits the connections that are handed to it. It ends with this process, however that ends. */
export interface Haproxy extends AsyncDisposable {
  /** What it did since it started. Throws `testbed-failed`, with its last words where it has ended. */
  readCounters(): Promise<ProxyCounters>;
}

/** Starts it and waits until it serves. Throws `testbed-failed`. */
export async function startHaproxy(enter: Enter): Promise<Haproxy> {
  // It gives up no privilege: that would undo its end with this process.
  const [program, ...words] = [...enter, 'setpriv', '--pdeathsig', 'KILL', 'haproxy', '-db', '-f', configuration];
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PORT: `${haproxyPort}`, STATISTICS_PORT: `${statisticsPort}` },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-keptErrorCharacters)));
  let end: string | null = null;
  const closed = new Promise<void>((resolve) => {
    child.on('error', (error) => (end = error.message));
    child.on('close', (exitCode, signalName) => {
      end ??= signalName ?? `exit status ${exitCode}`;
      resolve();
    });
  });
  const explainEnd = () => new AppError('testbed-failed', `haproxy ended (${end})${errors && `: ${errors.trim()}`}`);

  const readCounters = async (): Promise<ProxyCounters> => {
    const printed = runIn(enter, process.execPath, statisticsProgram, `${statisticsPort}`);
    const ended = closed.then(() => {
      throw explainEnd();
    });
    return readProxyCounters(await Promise.race([printed, ended]));
  };
  const haproxy = {
    readCounters,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL'); // it holds nothing that outlives it
      await closed;
    },
  };
  try {
    await readCounters();
    return haproxy;
  } catch (error) {
    await haproxy[Symbol.asyncDispose]();
    throw error;
  }
}
