import { isIPv6 } from 'node:net';
import { runCommand } from './run-command.ts';
import { readFileSync, readlinkSync } from 'node:fs';

/** What one OS user sends by one interface comes from one address. */
export interface SourceRule {
  interface: string;
  uid: number;
  address: string;
  owner: RuleOwner;
}

export type IpVersion = 4 | 6;

const tables = { 4: 'iptables', 6: 'ip6tables' } as const;
const listings = { 4: 'iptables-save', 6: 'ip6tables-save' } as const;

export function versionOf(address: string): IpVersion {
  return isIPv6(address) ? 6 : 4;
}

/** Put first: a host that translates all its traffic would take the packets before. */
export async function addSourceRule(rule: SourceRule): Promise<void> {
  await change('--insert', rule);
}

/** Of equal rules it removes one. */
export async function removeSourceRule(rule: SourceRule): Promise<void> {
  await change('--delete', rule);
}

/** The rules of all Agents. Looks without loading anything: a kernel that translates nothing stays so. */
export async function listSourceRules(version: IpVersion): Promise<SourceRule[]> {
  return (await runCommand(listings[version])).split('\n').flatMap((line) => parseRule(line) ?? []);
}

async function change(action: '--insert' | '--delete', rule: SourceRule): Promise<void> {
  await runCommand(
    tables[versionOf(rule.address)],
    '--wait',
    '10',
    '--table',
    'nat',
    action,
    'POSTROUTING',
    ...formatRule(rule).split(' '),
  );
}

/** The rule's comment names the owner: there is no file to go stale. */
export function formatRule(rule: SourceRule): string {
  const { pidNamespace, pid, startTicks } = rule.owner;
  const comment = `http-ae-${pidNamespace}-${pid}-${startTicks}`;
  return `-o ${rule.interface} -m owner --uid-owner ${rule.uid} -m comment --comment ${comment} -j SNAT --to-source ${rule.address}`;
}

/** Null for a line that is no rule of an Agent. */
export function parseRule(line: string): SourceRule | null {
  const match =
    /^-A POSTROUTING -o (\S+) -m owner --uid-owner (\d+) -m comment --comment "?http-ae-(\d+)-(\d+)-(\d+)"? -j SNAT --to-source (\S+)$/.exec(
      line.trim(),
    );
  if (!match) return null;
  const [, name, uid, pidNamespace, pid, startTicks, address] = match;
  return {
    interface: name!,
    uid: Number(uid),
    address: address!,
    owner: { pidNamespace: pidNamespace!, pid: Number(pid), startTicks: Number(startTicks) },
  };
}

/** The process that made a rule, distinguished from others that had or will have its id. */
export interface RuleOwner {
  /** The numbering of processes that its id is of: hosts and containers may share a network and not their numbers. */
  pidNamespace: string;
  pid: number;
  /** When it started, in clock ticks since the machine did. */
  startTicks: number;
}

export function readOwnOwner(): RuleOwner {
  const startTicks = readStartTicks(process.pid);
  if (startTicks === null) throw new Error('/proc does not show this process');
  return { pidNamespace: readPidNamespace(), pid: process.pid, startTicks };
}

/** Whether it is certain that the process is gone: of one that is numbered elsewhere nothing is known here. */
export function isGone(owner: RuleOwner): boolean {
  return owner.pidNamespace === readPidNamespace() && readStartTicks(owner.pid) !== owner.startTicks;
}

function readPidNamespace(): string {
  return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
}

/** Null when there is no such process, or only what is left of it for its parent to read. */
function readStartTicks(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the state is the first field after it, the start the 20th (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : Number(fields[19]);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
