import { largestFrameBytes } from '#core/evaluation/network/link-profile.ts';
import type { ClassPlan, PlannedUser } from './plan-classes.ts';

/** `forward` is to the users, `return` from them, as in a link's profile. */
export type Direction = 'forward' | 'return';

/** The arguments of tc, one command each, and the rates that it must then show by class. */
export interface HtbCommands {
  commands: string[][];
  ratesKbps: ReadonlyMap<string, number>;
}

/** What belongs to nobody, such as ARP, needs little and may take what is left. */
const restKbps = 8;
/** The timers of a busy machine are late by some milliseconds: tokens are kept for as long. */
const timerSlackMs = 5;

/** A hierarchical token bucket (tc-htb(8)): the link, in it the classes, in each its users, distinguished by address, each with a drop-tail queue. */
export function describeHtb(
  plan: ClassPlan,
  { interface: name, direction }: { interface: string; direction: Direction },
): HtbCommands {
  const ratesKbps = new Map<string, number>();
  const commands = [['qdisc', 'add', 'dev', name, 'root', 'handle', '1:', 'htb', 'default', '2']];
  const newId = () => `1:${(ratesKbps.size + 1).toString(16)}`;
  const addClass = (
    parent: string,
    { rateKbps, ceilKbps, more = [] }: { rateKbps: number; ceilKbps: number; more?: string[] },
  ) => {
    const id = newId();
    ratesKbps.set(id, rateKbps);
    const rates = [
      'rate',
      formatRate(rateKbps),
      'ceil',
      formatRate(ceilKbps),
      'burst',
      burstOf(rateKbps),
      'cburst',
      burstOf(ceilKbps),
    ];
    commands.push(['class', 'add', 'dev', name, 'parent', parent, 'classid', id, 'htb', ...rates, ...more]);
    return id;
  };

  const { totalKbps } = plan;
  const whole = addClass('1:', { rateKbps: totalKbps, ceilKbps: totalKbps });
  addClass(whole, {
    rateKbps: Math.min(restKbps, totalKbps / 10),
    ceilKbps: totalKbps,
    more: ['quantum', `${largestFrameBytes}`],
  });
  for (const { guaranteedKbps, users } of plan.classes) {
    const ofClass = addClass(whole, { rateKbps: guaranteedKbps, ceilKbps: totalKbps });
    for (const user of users) {
      const id = addClass(ofClass, {
        rateKbps: user.guaranteedKbps,
        ceilKbps: totalKbps,
        more: ['quantum', `${user.quantumBytes}`],
      });
      commands.push(['qdisc', 'add', 'dev', name, 'parent', id, 'bfifo', 'limit', `${user.queueBytes}`]);
      commands.push(['filter', 'add', 'dev', name, 'parent', '1:', ...matchUser(user, direction), 'flowid', id]);
    }
  }
  return { commands, ratesKbps };
}

/** Each version of IP is filtered at a priority of its own, as tc wants it. */
function matchUser({ address, version }: PlannedUser, direction: Direction): string[] {
  const field = direction === 'forward' ? 'dst' : 'src';
  return version === 6
    ? ['protocol', 'ipv6', 'prio', '2', 'u32', 'match', 'ip6', field, `${address}/128`]
    : ['protocol', 'ip', 'prio', '1', 'u32', 'match', 'ip', field, `${address}/32`];
}

function formatRate(kbps: number): string {
  return `${Math.max(8, Math.round(kbps * 1000))}bit`;
}

function burstOf(kbps: number): string {
  return `${Math.ceil(Math.max(2 * largestFrameBytes, (kbps / 8) * timerSlackMs))}`;
}
