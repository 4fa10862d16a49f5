import { z } from 'zod';
import { listErrors } from '../app-error.ts';
import { NameSchema } from '../evaluation/name.ts';
import { ReadyWhenSchema } from '../evaluation/scenarios/scenario-process.ts';
import { SiteReplaySchema } from './site-replay.ts';
import { NetworkSchema } from '../evaluation/network/network.ts';
import { SourceAddressSchema } from '../evaluation/users/user-identity.ts';
import { FailureCodeSchema } from '../metrics/failure-code.ts';
import { CaptureReportSchema } from './capture-outcome.ts';
import { HostFactsSchema } from './host-facts.ts';
import { HostLoadSchema } from './host-load.ts';
import { LinkCheckSchema } from './link-check.ts';
import { NetworkFiguresSchema } from './network-figure.ts';
import { PassOrderSchema, CaptureOrderSchema } from './pass-order.ts';
import { SentVisitSchema } from './sent-visit.ts';
import { HttpepEndSchema } from './httpep-end.ts';
import { SiteCertificateSchema } from './site-certificate.ts';
import { VisitRefusalSchema } from './visit-refusal.ts';

/** Rises with every change that an older Agent or Controller would misread; the handshake refuses a difference. */
export const protocolVersion = 16;

const passId = z.uuid();
/** The position of a Visit in the order of its Pass. */
const visitSequence = z.number().int().nonnegative();
const captureId = z.uuid();
/** Of a process of a Scenario: the same on every try of its Run. */
const processKey = z.string().min(1).max(300);
const mostTextCharacters = 16_384;
const text = z.string().max(mostTextCharacters);

/** Why something failed, as a message may have it: what a program printed before it ended may be longer, and the Controller refuses an Agent that sends more. */
export function describeProblem(error: unknown, before = ''): string {
  const problems = listErrors(error).map((each) => (each instanceof Error ? each.message : String(each)));
  return `${before}${[...new Set(problems)].join('; then ')}`.slice(0, mostTextCharacters);
}

const ProcessReport = {
  processKey,
  /** Why it does not run, or is not ready; null when it is. */
  problem: text.nullable(),
  /** Standard output and error since the last report, the middle left out beyond 64 KiB. */
  output: z.string().max(100_000),
};

/** Every message from an Agent to the Controller. Times are epoch milliseconds: the Agent's own clock where named so, else the Controller's. */
export const AgentMessageSchema = z.discriminatedUnion('type', [
  /** The first message on every connection, which was opened with the Agent's token (`line-credentials.ts`). `passes`: what this Agent still holds, so that a short break of the line costs nothing; with their loads, where they have ended. */
  z.object({
    type: z.literal('hello'),
    protocolVersion: z.number().int(),
    agentVersion: z.string().max(64),
    name: NameSchema,
    facts: HostFactsSchema,
    passes: z
      .array(
        z.object({
          passId,
          state: z.enum(['preparing', 'ready', 'running', 'ended', 'lost']),
          /** In step: the Visit that waits for its start. */
          readyFor: visitSequence.optional(),
          load: HostLoadSchema.optional(),
        }),
      )
      .max(1000),
  }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('clock-request'), agentEpochMs: z.number() }),
  z.object({ type: z.literal('clock-read'), offsetMs: z.number(), errorMs: z.number().nonnegative() }),
  z.object({ type: z.literal('pass-ready'), passId }),
  z.object({ type: z.literal('pass-started'), passId, startedEpochMs: z.number() }),
  /** In step with the others of its Round: the Visit is rested, and waits for `start-visit`. */
  z.object({ type: z.literal('visit-ready'), passId, sequence: visitSequence }),
  /** A word for the watchers after each Visit; the Visit itself follows after the Round. */
  z.object({
    type: z.literal('visit-ended'),
    passId,
    sequence: visitSequence,
    url: z.string().max(4096),
    code: FailureCodeSchema.nullable(),
    totalMs: z.number().nullable(),
  }),
  /** All its Visits are spooled. `load`: left out by an older Agent. */
  z.object({ type: z.literal('pass-ended'), passId, load: HostLoadSchema.optional() }),
  /** The Pass cannot be made or finished: its Round is broken. */
  z.object({ type: z.literal('pass-lost'), passId, problem: text }),
  /** There are Visits to upload: the Agent requests `upload-visits`. */
  z.object({ type: z.literal('visits-waiting') }),
  /** The answer to `upload-visits`, and sent in answer to it only; their Snapshots are beside it (`read-message.ts`). Empty: there is nothing to upload, or not now. */
  z.object({ type: z.literal('visits'), visits: z.array(SentVisitSchema).max(500) }),
  /** A Capture, after its trace was uploaded. */
  z.object({ type: z.literal('capture'), capture: CaptureReportSchema }),
  /** The answer to `start-capture`. `refusal`: what of the order can never be captured by; where it is right and yet cannot be, the Capture itself says why. */
  z.object({
    type: z.literal('capture-started'),
    captureId,
    refusal: z.object({ field: z.enum(['interface', 'filter']), problem: text }).nullable(),
  }),
  /** The answer to `stop-capture`: it is spooled. */
  z.object({ type: z.literal('capture-ended'), captureId }),
  z.object({
    type: z.literal('script-ended'),
    orderId: z.uuid(),
    /** Null when a signal ended it or it could not start. */
    exitCode: z.int32().nullable(),
    isTimedOut: z.boolean(),
    durationMs: z.number().nonnegative(),
    /** Standard output and error as they came, the middle left out beyond 64 KiB. */
    output: z.string().max(100_000),
  }),
  /** The answer to `start-process`, when it is ready, or never will be. */
  z.object({ type: z.literal('process-started'), ...ProcessReport }),
  /** It ended without an order to. */
  z.object({ type: z.literal('process-lost'), ...ProcessReport }),
  /** The answer to `check-process`. */
  z.object({ type: z.literal('process-checked'), ...ProcessReport }),
  /** The answer to `end-process`: neither it nor what it started is there any more. */
  z.object({ type: z.literal('process-ended'), ...ProcessReport }),
  /** The answer to `apply-network`. `problem`: why it is not as ordered; null when it is. */
  z.object({
    type: z.literal('network-applied'),
    orderId: z.uuid(),
    problem: text.nullable(),
    check: LinkCheckSchema.nullable(),
    /** What the network did during the Round that ends with `network: null`. */
    figures: NetworkFiguresSchema.optional(),
    /** What it did in that Round that breaks it; null where it did what its Scenario says. */
    fault: text.nullable().default(null),
  }),
  /** The answer to `read-certificate`. `problem`: why there is none; null when there is one. */
  z.object({
    type: z.literal('certificate-read'),
    orderId: z.uuid(),
    certificate: SiteCertificateSchema.nullable(),
    problem: text.nullable(),
  }),
]);
export type AgentMessage = z.infer<typeof AgentMessageSchema>;

/** What the JSON of a message may have in bytes, which is looked at before it is parsed: of most kinds, one long text and a few short ones. */
export const mostBytesOfMessage = 128 * 1024;
const mostBytesOfOutput = 1024 * 1024;
/** The kinds that may have more. Their first field is `type`, by which they are known before they are parsed. */
const mostBytesOf: Partial<Record<AgentMessage['type'], number>> = {
  // A host with a thousand interfaces has a few hundred thousand bytes.
  hello: 512 * 1024,
  'script-ended': mostBytesOfOutput,
  'process-started': mostBytesOfOutput,
  'process-lost': mostBytesOfOutput,
  'process-checked': mostBytesOfOutput,
  'process-ended': mostBytesOfOutput,
  'network-applied': 2 * 1024 * 1024,
  // Agents send about a million characters at a time. Snapshots are beside them.
  visits: 4 * 1024 * 1024,
  // A thousand connections, each with its bytes over time.
  capture: 16 * 1024 * 1024,
};

/** The bytes that a message of this kind may have; of an unknown kind as of most. */
export function readMostBytes(type: string): number {
  return new Map<string, number>(Object.entries(mostBytesOf)).get(type) ?? mostBytesOfMessage;
}

/** Every message from the Controller to an Agent. */
export const ControllerMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), controllerVersion: z.string().max(64) }),
  /** The connection is about to be closed for good: the Agent must not try again with the same token, name or version. */
  z.object({
    type: z.literal('refused'),
    code: z.enum(['token-refused', 'protocol-mismatch', 'invalid-input', 'replaced']),
    message: text,
  }),
  z.object({
    type: z.literal('ping'),
    /** Whether a Run under way at this Controller needs the Agent: one that is not needed may go to a Controller that it prefers. */
    isNeeded: z.boolean().default(true),
  }),
  z.object({
    type: z.literal('clock-reply'),
    agentEpochMs: z.number(),
    receivedEpochMs: z.number(),
    repliedEpochMs: z.number(),
  }),
  /** Browser up, then `pass-ready`. */
  z.object({ type: z.literal('prepare-pass'), order: PassOrderSchema }),
  z.object({ type: z.literal('start-pass'), passId, startEpochMs: z.number() }),
  /** The answer to `visit-ready`, when all others are ready too. */
  z.object({ type: z.literal('start-visit'), passId, sequence: visitSequence, startEpochMs: z.number() }),
  /** Ends a Pass wherever it is. Its Visits stay spooled and may still be uploaded. */
  z.object({ type: z.literal('cancel-pass'), passId, reason: text }),
  /**
   * The Agent may send one message of Visits, and upload Captures and pictures. Sent when no Pass of the Round is under way any more, so that reporting never
   * shares a link with a measurement, and to a few Agents at a time.
   */
  z.object({ type: z.literal('upload-visits') }),
  /** Committed: the Agent may forget them. */
  z.object({ type: z.literal('visits-stored'), visitIds: z.array(z.uuid()).max(500) }),
  /** Never to be stored: the Agent keeps them aside. */
  z.object({
    type: z.literal('visits-refused'),
    visitIds: z.array(z.uuid()).max(500),
    code: VisitRefusalSchema,
    reason: text,
  }),
  /** As with Visits, of one Capture. */
  z.object({ type: z.literal('capture-stored'), captureId }),
  z.object({ type: z.literal('capture-refused'), captureId, reason: text }),
  /** Its trace is not here: the Agent uploads trace and Capture again, at the next `upload-visits` or on its next line. */
  z.object({ type: z.literal('capture-wanted'), captureId }),
  /** Captures at a Capture Point until the order to stop. */
  z.object({ type: z.literal('start-capture'), order: CaptureOrderSchema }),
  /** `isBrokenOff`: the Round did not come to its end. */
  z.object({ type: z.literal('stop-capture'), captureId, isBrokenOff: z.boolean() }),
  z.object({
    type: z.literal('run-script'),
    orderId: z.uuid(),
    script: z.string().max(100_000),
    timeoutMs: z.number().positive(),
    environment: z.record(z.string(), z.string()),
  }),
  /** Ends a script with all that it started in the foreground; `script-ended` says so. */
  z.object({ type: z.literal('end-script'), orderId: z.uuid() }),
  /** Starts a process. One of the same key is ended before, and any of another Run. */
  z.object({
    type: z.literal('start-process'),
    processKey,
    runId: z.string().max(100),
    /** A shell command, or one end of HTTPEP. */
    program: z.union([z.string().max(100_000), HttpepEndSchema]),
    environment: z.record(z.string(), z.string()),
    readyWhen: ReadyWhenSchema.nullable(),
    timeoutMs: z.number().positive(),
  }),
  /** Reports whether it still runs and is ready, and what it printed. */
  z.object({ type: z.literal('check-process'), processKey }),
  z.object({ type: z.literal('end-process'), processKey }),
  /** Sets the emulated network and checks it; `network: null` takes classes and TCP settings back. */
  z.object({
    type: z.literal('apply-network'),
    orderId: z.uuid(),
    network: NetworkSchema.nullable(),
    /** The users that have an address of their own, and of which class they are, if of any. */
    users: z.array(z.object({ sourceAddress: SourceAddressSchema, userClass: NameSchema.nullable() })).max(1000),
    /** Whether the rate of any link of the Run varies, or its queue is managed: one backend is then to make all of them, as they are compared. */
    runHasVaryingRate: z.boolean().default(false),
    /** The Sites that the hosts of the network replay; left out where these have pages of the origin. */
    replay: SiteReplaySchema.optional(),
  }),
  /** Connects to the server of an https URL and reports its certificate. */
  z.object({ type: z.literal('read-certificate'), orderId: z.uuid(), url: z.string().max(4096) }),
]);
export type ControllerMessage = z.infer<typeof ControllerMessageSchema>;
