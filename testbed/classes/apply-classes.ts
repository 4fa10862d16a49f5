import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { requireTools } from '../namespaces/require-tools.ts';
import { ToolError } from '../namespaces/run-tool.ts';
import { describeHtb, type Direction } from './htb-commands.ts';
import { planClasses, type ClassesRequest, type ClassPlan } from './plan-classes.ts';
import { readClassRates } from './read-class-rates.ts';

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

async function removeClasses(enter: Enter, name: string): Promise<void> {
  try {
    await runIn(enter, 'tc', 'qdisc', 'delete', 'dev', name, 'root');
  } catch (error) {
    // Gone with the interface, or by somebody else's hand.
    if (!(error instanceof ToolError) || !/Cannot find device|handle of zero|No such file/.test(error.stderr))
      throw error;
  }
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
