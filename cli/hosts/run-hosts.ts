import { assertNever } from '#core/assert-never.ts';
import { AppError } from '#core/app-error.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { readInventory } from './inventory/read-inventory.ts';
import {
  runHostsUp,
  forEachHost,
  failIfAny,
  type HostsOrder,
  type HostsAction,
  type HostsOptions,
} from './run-hosts-up.ts';
import { findLocalController, readLocalAccess } from '../controller/controller-access.ts';
import { OwnerClient } from '../controller/owner-client.ts';
import { askHost } from './ask-host.ts';
import { forgetHost, revokeHostTokens } from './host-tokens.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { packageRoot, findHome } from '../installation.ts';
import { describeTarget } from './inventory/ssh-host.ts';
import { packProgram } from './pack-program.ts';

/** What is known of a host of the inventory. */
interface HostStatus {
  name: string;
  target: string;
  /** `stopped`: it has a service that does not run. `unknown`: the host could not be asked. */
  agent: 'channel' | 'service' | 'stopped' | 'none' | 'unknown';
  /** Null where this user runs no Controller on this machine. */
  isConnected: boolean | null;
  /** `other`: not what this machine has; the next `up` sends that. */
  program: 'current' | 'other' | 'none' | 'unknown';
  /** Why it could not be asked. */
  reason: string | null;
}

const agentWords: Record<HostStatus['agent'], string> = {
  channel: 'runs, ends with its channel',
  service: 'runs, as a service',
  stopped: 'service does not run',
  none: 'none',
  unknown: 'unknown',
};
const programWords: Record<HostStatus['program'], string> = {
  current: 'this one',
  other: 'another version',
  none: 'none',
  unknown: 'unknown',
};

/** Throws `invalid-input` before any host is touched, and `agent-missing` after all of them when one has failed. */
export async function runHosts(action: HostsAction, options: HostsOptions): Promise<void> {
  if (action !== 'up' && (options.service || options.tunnel))
    throw new AppError('invalid-input', '--service and --tunnel are for "hosts up"');
  if (options.service && options.tunnel)
    throw new AppError('invalid-input', 'A tunnel ends with this command, and a service does not: leave out one');
  using interrupts = watchInterrupts();
  const hosts = await readInventory(options.inventory, options.limit);
  const order = {
    hosts,
    options,
    homeFolder: findHome(process.env),
    signal: interrupts.signal,
    sayOf: (host: string, line: string) => void process.stderr.write(`${showPlainly(`${host}: ${line}`)}\n`),
  };
  switch (action) {
    case 'up':
      await runHostsUp(order);
      break;
    case 'status':
      await runHostsStatus(order);
      break;
    case 'down':
      await runHostsDown(order);
      break;
    default:
      return assertNever(action);
  }
}

/** Ends the Agents, removes all that `up` has put on the hosts, and revokes their tokens. */
async function runHostsDown({ hosts, options, homeFolder, signal, sayOf }: HostsOrder): Promise<void> {
  const owner = options.token === undefined ? await findOwner(homeFolder, signal) : null;
  const failed: string[] = [];
  const results = await forEachHost(hosts, options.parallel, async (host) => {
    const say = (line: string) => sayOf(host.name, line);
    // First, so that an "up" whose connection broke does not join it again.
    const isOwn = owner !== null && (await revokeHostTokens(owner, host.name));
    const answer = await askHost(host, 'down', { signal, debug: options.verbose ? say : () => undefined });
    if (isOwn) await forgetHost(owner, host.name);
    if (answer.kind === 'failed') {
      failed.push(host.name);
      say(answer.reason);
      return { name: host.name, state: 'failed', reason: answer.reason };
    }
    for (const { word, rest } of answer.reports) if (word === 'note') say(rest);
    const wasThere = answer.reports.some(({ word }) => word === 'removed');
    say(wasThere ? 'removed' : 'nothing was there');
    return { name: host.name, state: wasThere ? 'removed' : 'absent', reason: null };
  });
  if (owner === null && options.token === undefined)
    process.stderr.write('You run no Controller here, so tokens of these hosts stay valid until they are revoked\n');
  if (options.json) process.stdout.write(`${JSON.stringify({ hosts: results })}\n`);
  failIfAny(failed, hosts);
}

/** Null where this user runs no Controller: then only the hosts are cleaned. */
async function findOwner(homeFolder: string, signal: AbortSignal): Promise<OwnerClient | null> {
  try {
    return new OwnerClient(await findLocalController(homeFolder), signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-input') return null;
    throw error;
  }
}

/** Prints what is on each host, and whether the Controller of this user on this machine has its Agent. */
async function runHostsStatus({ hosts, options, homeFolder, signal, sayOf }: HostsOrder): Promise<void> {
  const local = await readLocalAccess(homeFolder);
  const agents = local && (await new ControllerClient(local, signal).listAgents());
  const { id: currentId } = await packProgram(packageRoot);
  const states = await forEachHost(hosts, options.parallel, async (host): Promise<HostStatus> => {
    const debug = options.verbose ? (line: string) => sayOf(host.name, line) : () => undefined;
    const answer = await askHost(host, 'status', { signal, debug });
    const isConnected = agents && (agents.find(({ name }) => name === host.name)?.isConnected ?? false);
    const known = { name: host.name, target: describeTarget(host), isConnected };
    if (answer.kind === 'failed') return { ...known, agent: 'unknown', program: 'unknown', reason: answer.reason };
    const find = (wanted: string) => answer.reports.find(({ word }) => word === wanted)?.rest ?? null;
    const programId = find('program');
    return {
      ...known,
      agent: readAgent(find('agent')),
      program: programId === null ? 'none' : programId === currentId ? 'current' : 'other',
      reason: null,
    };
  });
  const failed = states.filter(({ reason }) => reason !== null);
  for (const { name, reason } of failed) sayOf(name, reason!);
  process.stdout.write(
    options.json ? `${JSON.stringify({ hosts: states })}\n` : `${formatStatus(states).map(showPlainly).join('\n')}\n`,
  );
  failIfAny(
    failed.map(({ name }) => name),
    hosts,
  );
}

/** Null where none runs. */
function readAgent(text: string | null): HostStatus['agent'] {
  return text === 'channel' || text === 'service' || text === 'stopped' ? text : 'none';
}

/** A table, a line for each host. */
export function formatStatus(states: HostStatus[]): string[] {
  const rows = [
    ['Host', 'SSH', 'Controller', 'HTTP-AE', 'Agent'],
    ...states.map(({ name, target, isConnected, program, agent }) => [
      name,
      target,
      isConnected === null ? 'unknown' : isConnected ? 'connected' : 'not connected',
      programWords[program],
      agentWords[agent],
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
