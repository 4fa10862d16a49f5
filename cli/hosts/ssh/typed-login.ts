import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { HostKey } from '#core/protocol/api/host-join.ts';
import type { SshHost, TypedLogin } from '../inventory/ssh-host.ts';

/** As long as the key is in the memory of ssh-agent. */
const keptForS = 120;

/** The key comes by a pipe to an ssh-agent that ends with ssh, so that no file has it. */
const withKey = `ssh-add -q -t ${keptForS} - <&3 || exit 255
exec 3<&-
unset HTTP_AE_ANSWER
exec ssh "$@"`;

/**
 * Options of ssh for what was typed. No configuration is read, as that may name programs, other keys of this machine and open connections: the
 * person at the page may have none of these.
 */
export function listLoginOptions({ by, knownHostsFile }: TypedLogin): string[] {
  // "%" begins a token of ssh, and a quotation mark ends the name.
  const own = knownHostsFile.replaceAll('%', '%%').replaceAll(/["\\]/g, '\\$&');
  return [
    ...['-F', 'none', '-a', '-x'],
    ...['-o', 'StrictHostKeyChecking=ask'],
    ...['-o', `UserKnownHostsFile="${own}" ~/.ssh/known_hosts`],
    ...['-o', 'IdentityFile=none'],
    ...['-o', 'NumberOfPasswordPrompts=1'],
    ...(by.kind === 'password'
      ? ['-o', 'PubkeyAuthentication=no', '-o', 'PreferredAuthentications=password,keyboard-interactive']
      : ['-o', 'PreferredAuthentications=publickey']),
  ];
}

/**
 * Starts ssh with what was typed. Nothing secret is in arguments, in the environment or on a disk: it comes by pipes, and can be read once. A pipe
 * that was not read is removed when ssh ends.
 */
export function spawnTyped({ by, hostKey }: TypedLogin, sshArguments: readonly string[]): ChildProcess {
  let folder = '';
  const held: number[] = [];
  const clear = () => {
    for (const descriptor of held.splice(0)) closeSync(descriptor);
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  };
  try {
    const secret = by.kind === 'password' ? by.password : by.passphrase;
    if (secret !== '') {
      folder = mkdtempSync(path.join(tmpdir(), 'hae-ssh-'));
      held.push(openPipe(path.join(folder, 'answer')));
      writeSync(held[0]!, `${secret}\n`);
    }
    const [command, ...words] =
      by.kind === 'password' ? ['ssh', ...sshArguments] : ['ssh-agent', 'sh', '-c', withKey, 'sh', ...sshArguments];
    const child = spawn(command, words, {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: {
        ...process.env,
        SSH_ASKPASS: path.join(import.meta.dirname, 'answer-ssh.sh'),
        SSH_ASKPASS_REQUIRE: 'force',
        DISPLAY: process.env.DISPLAY ?? ':0', // for OpenSSH before 8.4
        SSH_AUTH_SOCK: undefined,
        HTTP_AE_ANSWER: folder === '' ? '' : path.join(folder, 'answer'),
        HTTP_AE_HOST_KEY: hostKey ?? 'none was compared',
      },
    });
    child.once('close', clear).once('error', clear);
    const key = child.stdio[3] as Writable;
    key.on('error', () => undefined); // ssh-add says why
    // ssh-agent has the other end until it notices that ssh has ended, which is not to be waited for.
    key.end(by.kind === 'key' ? `${by.key.replaceAll('\r', '').trim()}\n` : '', () => key.destroy());
    return child;
  } catch (error) {
    clear();
    throw error;
  }
}

/** Open for both, it waits for no reader. */
function openPipe(file: string): number {
  if (spawnSync('mkfifo', ['-m', '600', file]).status !== 0) throw new Error(`mkfifo ${file} failed`);
  return openSync(file, constants.O_RDWR);
}

/** The host's key that ssh asked a person about; null where it did not, or went on. */
export function findUnknownKey(wordsOfSsh: string): HostKey | null {
  if (!/^Host key verification failed/m.test(wordsOfSsh)) return null;
  const [, type, fingerprint] = /^(\S+) key fingerprint is:? (SHA256:[A-Za-z0-9+/]{43})/m.exec(wordsOfSsh) ?? [];
  return type === undefined || fingerprint === undefined ? null : { type, fingerprint };
}

/** What is wrong with what was typed, and what to do about it; null where that is not it. */
export function explainTypedFailure(
  { by }: TypedLogin,
  { user = '', address, port }: SshHost,
  words: string,
): string | null {
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/i.test(words)) {
    const file = /^Offending .* key in (.{1,4096}):\d+$/m.exec(words)?.[1] ?? '~/.ssh/known_hosts';
    const name = port === undefined || port === 22 ? address : `[${address}]:${port}`;
    return `its host key is not the one that the Controller’s machine knows. Somebody may be in between. Nothing secret was sent. If the host was installed again, run there: ssh-keygen -f '${file}' -R '${name}'. Then connect again, and compare the new key`;
  }
  if (/Error loading key/.test(words))
    return 'ssh cannot read the key. Choose a private key in the form of OpenSSH or PEM';
  const [, question] = /^no answer to: (.{1,200})/m.exec(words) ?? [];
  if (question !== undefined && by.kind === 'key')
    return 'the passphrase does not open the key. Type the passphrase of this key';
  // A second way in may ask for the password that the first has refused.
  if (question !== undefined && !/password/i.test(question))
    return `it asks for more than a password (${question.trim()}). Choose a private key`;
  if (!/Permission denied|Too many authentication failures|No supported authentication methods/i.test(words))
    return null;
  if (by.kind === 'key')
    return `it does not let "${user}" in with this key. Add the public key to ~/.ssh/authorized_keys of that user there, or choose another`;
  const [, ways] = /Permission denied \(([^)]{1,300})\)/.exec(words) ?? [];
  return ways !== undefined && !/password|keyboard-interactive/.test(ways)
    ? `its sshd lets "${user}" in by keys only. Choose a private key`
    : `it does not let "${user}" in with this password. Correct user or password`;
}
