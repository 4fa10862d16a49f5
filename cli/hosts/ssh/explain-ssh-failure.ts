import { describeTarget, type SshHost } from '../inventory/ssh-host.ts';

/** What is wrong, by what ssh or sudo said, and what to do about it. The first that fits counts. */
const explanations: readonly [pattern: RegExp, explain: (host: SshHost, words: string) => string][] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    (host) =>
      `its host key is not the one that this machine knows. Somebody may be in between. If the host was installed again: "ssh-keygen -R ${keyName(host)}", then log in once by "ssh ${describeLogin(host)}"`,
  ],
  [
    /Host key verification failed|No .*host key is known|is not known by any other names/i,
    (host) =>
      `its host key is unknown here. Log in once by "ssh ${describeLogin(host)}", compare the key, and answer yes`,
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
    ({ address }) => `the name "${address}" has no address. Correct it, or give the address by ansible_host`,
  ],
  [
    /Connection timed out|Operation timed out|No route to host|Network is unreachable/i,
    (host) => `nothing answers at ${describeTarget(host)}. Is it on, and does a firewall let ssh through?`,
  ],
  [
    /Connection refused/i,
    (host) => `no sshd listens at ${describeTarget(host)}. Start it there, or correct ansible_port`,
  ],
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

/** Null where the reason is not known. `words`: what ssh and the remote's shell printed. */
export function explainSshFailure(host: SshHost, words: string): string | null {
  return explanations.find(([pattern]) => pattern.test(words))?.[1](host, words) ?? null;
}

/** For `ssh` and `ssh-copy-id`. */
function describeLogin({ address, user, port }: SshHost): string {
  return `${port === undefined ? '' : `-p ${port} `}${user === undefined ? '' : `${user}@`}${address}`;
}

/** As known_hosts has it. */
function keyName({ address, port }: SshHost): string {
  return port === undefined || port === 22 ? address : `'[${address}]:${port}'`;
}
