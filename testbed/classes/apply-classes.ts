import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { requireTools } from '../namespaces/require-tools.ts';
import { removeUnlessGone, runIn, type Enter } from '../namespaces/run-tool.ts';
import { planClasses, type ClassesRequest, type ClassPlan, type PlannedUser } from './plan-classes.ts';
import { largestFrameBytes } from '#core/evaluation/network/link-profile.ts';

/** `forward` is to the users, `return` from them, as in a link's profile. */
type Direction = 'forward' | 'return';

/** The arguments of tc, one command each, and the rates that it must then show by class. */
interface HtbCommands {
  commands: string[][];
  ratesKbps: ReadonlyMap<string, number>;
}

/** The timers of a busy machine are late by some milliseconds: tokens are kept for as long. */
const timerSlackMs = 5;

const bitsPerUnit: Record<string, number> = { bit: 1, Kbit: 1e3, Mbit: 1e6, Gbit: 1e9 };

export interface ApplyClassesOptions extends ClassesRequest {
  /** The place that sends in that direction: `ground` forward, `remote` back. */
  enter: Enter;
  /** By which it sends into the link. */
  interface: string;
  direction: Direction;
}

/** Shares of a link that hold until this is disposed of. */
export interface AppliedClasses extends AsyncDisposable {
  readonly plan: ClassPlan;
}

/** Of a rate: tc prints four digits. */
const readingError = 0.002;

/**
 * Shares one direction of a link out by user class, where packets are sent into it, and reads back what the kernel made of it.
 * Throws `invalid-input` and `testbed-refused` before anything was changed, `testbed-failed` after it was taken back.
 */
export async function applyClasses({
  enter,
  interface: name,
  direction,
  ...request
}: ApplyClassesOptions): Promise<AppliedClasses> {
  const plan = planClasses(request);
  requireTools(process.env.PATH ?? '');
  await refuseTaken(enter, name);
  const { commands, ratesKbps } = describeHtb(plan, { interface: name, direction });

  await using undo = new AsyncDisposableStack();
  for (const [index, command] of commands.entries()) {
    await runIn(enter, 'tc', ...command);
    if (index === 0) undo.defer(() => removeClasses(enter, name));
  }
  refuseDifference(readClassRates(await runIn(enter, 'tc', 'class', 'show', 'dev', name)), { ratesKbps, name });
  const release = undo.move();
  return { plan, [Symbol.asyncDispose]: () => release.disposeAsync() };
}

const QdiscsSchema = z.array(z.object({ kind: z.string(), handle: z.string(), root: z.literal(true).optional() }));

/** The kernel's own choice has the handle `0:`, and comes back automatically. */
async function refuseTaken(enter: Enter, name: string): Promise<void> {
  const qdiscs = QdiscsSchema.parse(JSON.parse(await runIn(enter, 'tc', '-json', 'qdisc', 'show', 'dev', name)));
  const other = qdiscs.find(({ root, handle }) => root && handle !== '0:');
  if (other)
    throw new AppError(
      'testbed-refused',
      `${name} already has a queueing discipline (${other.kind} ${other.handle}): remove it with "tc qdisc delete dev ${name} root"`,
    );
}

/** They are gone with the interface, or by somebody else's hand. */
function removeClasses(enter: Enter, name: string): Promise<void> {
  const command: string[] = [...enter, 'tc', 'qdisc', 'delete', 'dev', name, 'root'];
  return removeUnlessGone(/Cannot find device|handle of zero|No such file/, command as [string, ...string[]]);
}

function refuseDifference(
  actual: ReadonlyMap<string, number>,
  { ratesKbps, name }: { ratesKbps: ReadonlyMap<string, number>; name: string },
): void {
  for (const [id, expected] of ratesKbps) {
    const found = actual.get(id);
    if (found !== undefined && Math.abs(found - expected) <= 0.01 + expected * readingError) continue;
    throw new AppError(
      'testbed-failed',
      `Class ${id} on ${name} should have ${expected.toFixed(1)} kb/s, but the kernel ${found === undefined ? 'does not show it' : `gave it ${found} kb/s`}`,
    );
  }
}

/** The guaranteed rate of each class by its id, as `tc class show` prints it. tc has JSON for this only in later versions. */
export function readClassRates(output: string): ReadonlyMap<string, number> {
  const found = output.matchAll(/^class htb (\S+) .*?\brate (\d+)([KMG]?bit)\b/gm);
  return new Map([...found].map(([, id, number, unit]) => [id!, (Number(number) * bitsPerUnit[unit!]!) / 1000]));
}

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

  const addQueue = (parent: string, bytes: number) =>
    commands.push(['qdisc', 'add', 'dev', name, 'parent', parent, 'bfifo', 'limit', `${bytes}`]);

  const { totalKbps, rest } = plan;
  const whole = addClass('1:', { rateKbps: totalKbps, ceilKbps: totalKbps });
  const ofRest = addClass(whole, {
    rateKbps: rest.guaranteedKbps,
    ceilKbps: totalKbps,
    more: ['quantum', `${largestFrameBytes}`],
  });
  addQueue(ofRest, rest.queueBytes);
  for (const { guaranteedKbps, users } of plan.classes) {
    const ofClass = addClass(whole, { rateKbps: guaranteedKbps, ceilKbps: totalKbps });
    for (const user of users) {
      const id = addClass(ofClass, {
        rateKbps: user.guaranteedKbps,
        ceilKbps: totalKbps,
        more: ['quantum', `${user.quantumBytes}`],
      });
      addQueue(id, user.queueBytes);
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
