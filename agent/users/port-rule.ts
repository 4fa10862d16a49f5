import { CommandError, runCommand } from './run-command.ts';
import type { IpVersion, RuleOwner } from './source-rule.ts';

/** The source ports of one User Agent. */
export interface PortRange {
  first: number;
  last: number;
}

/** What one OS user sends by one interface leaves from these ports of the host. */
export interface PortRule {
  interface: string;
  uid: number;
  ports: PortRange;
  owner: RuleOwner;
}

const tables = { 4: 'iptables', 6: 'ip6tables' } as const;
const listings = { 4: 'iptables-save', 6: 'ip6tables-save' } as const;
const protocols = ['tcp', 'udp'] as const;

/** Put first: a host that translates all its traffic would take the packets before. */
export async function addPortRules(rule: PortRule, version: IpVersion): Promise<void> {
  await change('--insert', { rule, version });
}

/** Of equal rules it removes one. */
export async function removePortRules(rule: PortRule, version: IpVersion): Promise<void> {
  await change('--delete', { rule, version });
}

/** The rules of all Agents, each once. Looks without loading anything: a kernel that translates nothing stays so. */
export async function listPortRules(version: IpVersion): Promise<PortRule[]> {
  const rules = (await runCommand(listings[version])).split('\n').flatMap((line) => parsePortRule(line) ?? []);
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

async function change(
  action: '--insert' | '--delete',
  { rule, version }: { rule: PortRule; version: IpVersion },
): Promise<void> {
  const failures: CommandError[] = [];
  for (const protocol of protocols) {
    const words = [
      '--wait',
      '10',
      '--table',
      'nat',
      action,
      'POSTROUTING',
      ...formatPortRule(rule, protocol).split(' '),
    ];
    try {
      await runCommand(tables[version], ...words);
    } catch (error) {
      // Of those that a killed Agent has left, one may be there without the other.
      if (!(error instanceof CommandError) || action === '--insert') throw error;
      failures.push(error);
    }
  }
  if (failures.length === protocols.length) throw failures[0]!;
}

/** The rule's comment names the owner: there is no file to go stale. */
export function formatPortRule({ interface: name, uid, ports, owner }: PortRule, protocol: 'tcp' | 'udp'): string {
  const comment = `http-ae-${owner.pidNamespace}-${owner.pid}-${owner.startTicks}`;
  return `-o ${name} -p ${protocol} -m owner --uid-owner ${uid} -m comment --comment ${comment} -j MASQUERADE --to-ports ${ports.first}-${ports.last}`;
}

/** Null for a line that is no such rule of an Agent. */
export function parsePortRule(line: string): PortRule | null {
  const match =
    /^-A POSTROUTING -o (\S+) -p (?:tcp|udp) -m owner --uid-owner (\d+) -m comment --comment "?http-ae-(\d+)-(\d+)-(\d+)"? -j MASQUERADE --to-ports (\d+)-(\d+)$/.exec(
      line.trim(),
    );
  if (!match) return null;
  const [, name, uid, pidNamespace, pid, startTicks, first, last] = match;
  return {
    interface: name!,
    uid: Number(uid),
    ports: { first: Number(first), last: Number(last) },
    owner: { pidNamespace: pidNamespace!, pid: Number(pid), startTicks: Number(startTicks) },
  };
}
