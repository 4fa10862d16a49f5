import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { AppError } from '#core/app-error.ts';
import { type SshHost, describeTarget } from '../inventory/ssh-host.ts';
import { listSshArguments, type ReverseTunnel } from './ssh-arguments.ts';
import { explainTypedFailure, spawnTyped } from './typed-login.ts';

/** What is wrong, by what ssh or sudo said, and what to do about it. The first that fits counts. */
const explanations: readonly [pattern: RegExp, explain: (host: SshHost, words: string) => string][] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    (host) =>
      `its host key is not the one that this machine knows. Somebody may be in between. If the host was installed again: "ssh-keygen -R ${keyName(host)}", then log in once by "ssh ${describeLogin(host)}"`,
  ],
  [
    /REVOKED HOST KEY DETECTED|is marked as revoked/i,
    () =>
      'its host key is revoked in known_hosts of this machine: somebody else may have that key. Give the host another key, and make it known here',
  ],
  [
    /no matching (?:host key type|key exchange method|cipher|MAC) found/i,
    (_, words) =>
      `it and the ssh of this machine have no algorithm in common (${/no matching [^\n]{0,300}/i.exec(words)![0].trim()}). Update its sshd, or make an Ed25519 host key there by "ssh-keygen -A"`,
  ],
  [
    /Host key verification failed|No .*host key is known|is not known by any other names/i,
    (host) =>
      `its host key is unknown here. Log in once by "ssh ${describeLogin(host)}", compare the key, and answer yes`,
  ],
  [
    /Load key .{0,4096}: (?:invalid format|error in libcrypto|unknown or unsupported key type)/i,
    (host) =>
      `${describeKey(host)} is none that the ssh of this machine can read. Name another by ansible_ssh_private_key_file`,
  ],
  [
    /Permission denied|Too many authentication failures|No supported authentication methods/i,
    (host, words) =>
      host.privateKeyFile !== undefined && /Identity file .{0,4096} not accessible/.test(words)
        ? `the key ${host.privateKeyFile} cannot be read on this machine. Correct ansible_ssh_private_key_file`
        : `it lets in no key of yours. Add one by "ssh-copy-id ${describeLogin(host)}", load its passphrase by "ssh-add", or name it by ansible_ssh_private_key_file`,
  ],
  [
    /remote port forwarding failed|administratively prohibited/i,
    () =>
      'its sshd allows no tunnel back (AllowTcpForwarding, PermitListen). Allow it, or let the host reach the Controller: "./http-ae up --host 0.0.0.0 --public-url URL"',
  ],
  [
    /Could not resolve hostname|Name or service not known/i,
    ({ address }) => `the name "${address}" has no address. Correct it, or give the address itself`,
  ],
  [
    /Connection timed out|Operation timed out|No route to host|Network is unreachable/i,
    (host) => `nothing answers at ${describeTarget(host)}. Is it on, and does a firewall let ssh through?`,
  ],
  [/Connection refused/i, (host) => `no sshd listens at ${describeTarget(host)}. Start it there, or correct the port`],
  [
    /sudo: .*(?:password is required|terminal is required)|is not in the sudoers file|may not run sudo/i,
    () =>
      'you may not become root there without a password. Allow it in sudoers (NOPASSWD), log in as root, or set ansible_become: false',
  ],
  [
    /sudo: (?:command )?not found|sudo: No such file/i,
    () => 'it has no sudo. Install it, log in as root by ansible_user, or set ansible_become: false',
  ],
];

/** What a script at the other end reports: `http-ae-host: WORD REST`. */
export interface RemoteReport {
  word: string;
  rest: string;
}

/** How it ended. */
export interface SessionEnd {
  isDone: boolean;
  /** ssh lost the connection, or got none. Else the remote command ended. */
  isBroken: boolean;
  /** The last lines that ssh printed. */
  wordsOfSsh: string;
  /** Those of the script. */
  lastWords: string;
}

export interface SessionListeners {
  report: (report: RemoteReport) => void;
  /** Any other line of the remote's. */
  line: (line: string) => void;
}

interface SessionOptions {
  /** By the port of the tunnel at the other end, null without one. Only digits differ with the port. */
  script: (tunnelPort: number | null) => string;
  tunnel?: ReverseTunnel | null;
  listeners: SessionListeners;
  /** How long the other end may take to end by itself. */
  endWithinMs?: number | undefined;
}

const reportPattern = /^http-ae-host: (\S+)(?: (.*))?$/;
const tunnelPattern = /^Allocated port (\d+) for remote forward/;
/** ssh(1), "EXIT STATUS". */
const exitOfBrokenSsh = 255;
const keptLines = 40;
/** Longer ones are cut: a machine may print without a line break, and without end. */
const mostLineLength = 10_000;
const usualEndWithinMs = 20_000;
/** As often as something goes to the other end, so that it notices when this machine is gone. */
const beatEveryMs = 15_000;

/** One run of the system's ssh with a script at its other end. Disposing of it closes the channel, and waits until ssh has ended. */
export class RemoteSession implements AsyncDisposable {
  readonly ended: Promise<SessionEnd>;
  readonly #child: ChildProcess;
  readonly #words = { ofSsh: [] as string[], ofScript: [] as string[] };
  readonly #endWithinMs: number;
  #beat: NodeJS.Timeout | undefined;

  constructor(host: SshHost, { script, tunnel = null, listeners, endWithinMs = usualEndWithinMs }: SessionOptions) {
    this.#endWithinMs = endWithinMs;
    const longest = Buffer.byteLength(script(tunnel === null ? null : 65_535));
    const command = makeRemoteCommand(longest, host);
    const sendScript = (port: number | null) => {
      const text = script(port);
      this.send(text + '\n'.repeat(longest - Buffer.byteLength(text)));
    };
    const words = listSshArguments(host, { command, tunnel });
    // Ctrl-C reaches the whole group of a terminal: this process decides when ssh ends.
    this.#child = host.login
      ? spawnTyped(host.login, words)
      : spawn('ssh', words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    // The other end may be gone before it has read all: how ssh ends says why.
    this.#child.stdin!.on('error', () => undefined);
    readCutLines(this.#child.stdout!, (line) => {
      const [, word, rest] = reportPattern.exec(line) ?? [];
      if (word !== undefined) return listeners.report({ word, rest: rest ?? '' });
      keep(this.#words.ofScript, line);
      listeners.line(line);
    });
    readCutLines(this.#child.stderr!, (line) => {
      const [, port] = tunnelPattern.exec(line) ?? [];
      if (port !== undefined) return sendScript(Number(port));
      keep(this.#words.ofSsh, line);
    });
    this.ended = this.#end();
    if (tunnel === null) sendScript(null);
  }

  /** A reason of the script's, with the last lines before it, which may have the details. */
  addWords(reason: string): string {
    const words = this.#words.ofScript.slice(-3).join('; ');
    return words === '' ? reason : `${reason} (${words})`;
  }

  send(data: string | Uint8Array): void {
    if (this.#child.stdin!.writable) this.#child.stdin!.write(data);
  }

  /** From now on the other end gets an empty line every now and then. */
  beat(): void {
    this.#beat ??= setInterval(() => this.send('\n'), beatEveryMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin!.end();
    const overdue = setTimeout(() => this.#child.kill('SIGKILL'), this.#endWithinMs);
    // How it failed is for those who wait for its end.
    await this.ended.catch(() => undefined);
    clearTimeout(overdue);
  }

  async #end(): Promise<SessionEnd> {
    try {
      const [exitCode] = (await once(this.#child, 'close')) as [number | null];
      return {
        isDone: exitCode === 0,
        isBroken: exitCode === exitOfBrokenSsh || exitCode === null,
        wordsOfSsh: this.#words.ofSsh.join('\n'),
        lastWords: this.#words.ofScript.join('\n'),
      };
    } catch (cause) {
      throw new AppError(
        'invalid-input',
        `ssh cannot be started (${(cause as Error).message}): install openssh-client`,
        {
          cause,
        },
      );
    } finally {
      clearInterval(this.#beat);
    }
  }
}

/** The lines of a text that another machine sends, of each only the beginning. */
export function readCutLines(stream: Readable, take: (line: string) => void): void {
  let begun = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      begun += part.slice(0, mostLineLength - begun.length);
      if (index === parts.length - 1) continue;
      take(begun.replace(/\r$/, ''));
      begun = '';
    }
  });
  stream.on('end', () => {
    if (begun !== '') take(begun);
  });
}

function keep(lines: string[], line: string): void {
  if (line.trim() === '') return;
  lines.push(line.slice(0, 500));
  if (lines.length > keptLines) lines.shift();
}

/** What a person is to read of a session that failed. */
export function describeFailure(host: SshHost, { wordsOfSsh, lastWords }: SessionEnd): string {
  const known = explainSshFailure(host, wordsOfSsh);
  if (known !== null) return known;
  const words = `${wordsOfSsh}\n${lastWords}`.trim().split('\n').slice(-5).join('; ').trim();
  return words === '' ? 'the connection ended' : `the connection ended: ${words}`;
}

/**
 * What is run at the other end: a shell that takes its script from standard input, so that nothing of it is in a list of processes. `dd` takes not
 * one byte more than the script has: the rest of the input is for the script. The login shell need not be a POSIX one.
 */
function makeRemoteCommand(scriptBytes: number, { isRootWanted }: { isRootWanted: boolean }): string {
  const take = `s=$(dd bs=1 count=${scriptBytes} 2>/dev/null) && eval "$s"`;
  if (!isRootWanted) return `exec sh -c '${take}'`;
  return `exec sh -c '[ "$(id -u)" -eq 0 ] || exec sudo -n -- sh -c "$0" || exit; eval "$0"' '${take}'`;
}

/** Null where the reason is not known. `words`: what ssh and the remote's shell printed. */
export function explainSshFailure(host: SshHost, words: string): string | null {
  const ofTyped = host.login && explainTypedFailure(host.login, host, words);
  return ofTyped ?? explanations.find(([pattern]) => pattern.test(words))?.[1](host, words) ?? null;
}

function describeKey({ privateKeyFile }: SshHost): string {
  return privateKeyFile === undefined ? 'a key of yours' : `the key ${privateKeyFile}`;
}

/** For `ssh` and `ssh-copy-id`. */
function describeLogin({ address, user, port }: SshHost): string {
  return `${port === undefined ? '' : `-p ${port} `}${user === undefined ? '' : `${user}@`}${address}`;
}

/** As known_hosts has it. */
function keyName({ address, port }: SshHost): string {
  return port === undefined || port === 22 ? address : `'[${address}]:${port}'`;
}
