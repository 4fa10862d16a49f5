import type { SshHost } from '../inventory/ssh-host.ts';
import { listLoginOptions } from './typed-login.ts';

/** A port of the remote's loopback interface, which leads to an address that this machine reaches. */
export interface ReverseTunnel {
  host: string;
  port: number;
}

/**
 * The words for the system's ssh, whose configuration counts: aliases, ProxyJump, agents, known hosts. It never asks, because nobody may be
 * there to answer for each of many hosts, but for what a person typed for this one. How keys of hosts are checked stays as the person has it.
 */
export function listSshArguments(
  { address, user, port, privateKeyFile, login, sshArguments }: SshHost,
  { command, tunnel }: { command: string; tunnel: ReverseTunnel | null },
): string[] {
  return [
    '-T',
    ...(login === undefined ? ['-o', 'BatchMode=yes'] : listLoginOptions(login)),
    // By which the port of a tunnel and the reason of a failure are known.
    ...['-o', 'LogLevel=INFO'],
    ...['-o', 'ConnectTimeout=15'],
    ...['-o', 'ServerAliveInterval=15'],
    ...['-o', 'ServerAliveCountMax=3'],
    // Before those of the person, of which ssh takes none that is given twice: a shared connection does not name the port of a tunnel.
    ...(tunnel === null ? [] : ['-o', 'ControlPath=none']),
    ...sshArguments,
    ...(user === undefined ? [] : ['-l', user]),
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(privateKeyFile === undefined ? [] : ['-i', privateKeyFile]),
    ...(tunnel === null
      ? []
      : ['-o', 'ExitOnForwardFailure=yes', '-R', `127.0.0.1:0:${bracket(tunnel.host)}:${tunnel.port}`]),
    '--',
    address,
    command,
  ];
}

const bracket = (host: string) => (host.includes(':') ? `[${host}]` : host);
