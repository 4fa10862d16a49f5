import { z } from 'zod';
import { assertNever } from '../assert-never.ts';

/** What two Runs share, so that one waits for the other. */
export const MeetingSchema = z.object({
  /** `unknown`: it is not known what they share. `rule`: the Controller has one Run at a time. */
  kind: z.enum(['host', 'machine', 'resource', 'origin', 'unknown', 'rule']),
  /** Of what is shared; of a machine, that of an Agent of each of the two Runs. */
  names: z.array(z.string()),
});
export type Meeting = z.infer<typeof MeetingSchema>;

/** A Run that another one waits for, and why. */
export const AwaitedRunSchema = MeetingSchema.extend({
  runId: z.string(),
  evaluationName: z.string(),
  /** Somebody has to resume or stop it. */
  isPaused: z.literal(true).optional(),
});
export type AwaitedRun = z.infer<typeof AwaitedRunSchema>;

const mostNames = 3;

/** Such as `host ground`. */
export function describeMeeting({ kind, names }: Meeting): string {
  switch (kind) {
    case 'host':
    case 'resource':
    case 'origin':
      return `${kind}${names.length > 1 ? 's' : ''} ${listNames(names)}`;
    case 'machine':
      return `hosts ${names.join(' and ')} may be one machine`;
    case 'unknown':
      return names.length > 0 ? `the machine of host ${names[0]!} is not known` : 'its hosts are not known';
    case 'rule':
      return 'one Run at a time';
    default:
      return assertNever(kind);
  }
}

/** What a Run waits for, in one line, such as `Run 12: host ground`; null where it waits for none. */
export function describeWaiting([first, ...others]: readonly AwaitedRun[]): string | null {
  if (!first) return null;
  const more = others.length === 0 ? '' : `, and for ${others.length} more`;
  return `Run ${first.runId}${first.isPaused ? ', which is paused' : ''}: ${describeMeeting(first)}${more}`;
}

function listNames(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
