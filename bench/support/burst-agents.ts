import { WebSocket } from 'ws';
import { compressSnapshot } from '#agent/spool/visit-spool.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { writeFrame } from '#core/protocol/read-message.ts';
import type { CompressedVisit } from '#core/protocol/sent-visit.ts';
import { offerToken, agentEndpoint } from '#core/protocol/line-credentials.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { makeBenchVisit } from './make-bench-visit.ts';

/** What `ingest-burst.ts` has a process of its own do: Agents that upload what they hold, as the spool of a real one does. */
export interface Burst {
  url: string;
  token: string;
  passIds: string[];
  pages: number;
  /** Of each page, to make it as large as a real one. */
  images: number;
}

const batchBytes = 1024 * 1024;
const batchVisits = 50;
const { url, token, passIds, pages, images } = JSON.parse(process.argv[2]!) as Burst;
const snapshots = Array.from({ length: pages }, (_, page) =>
  compressSnapshot(makePageSnapshot({ url: `http://origin.test/${page + 1}`, totalMs: 1000 }, images)),
);

await Promise.all(passIds.map(uploadAll));
process.send!({ visitBytes: snapshots[0]!.length });
process.disconnect();

async function uploadAll(passId: string, index: number): Promise<void> {
  const waiting = new Map<string, CompressedVisit>();
  for (const [sequence, snapshot] of snapshots.entries()) {
    const visit = makeBenchVisit(passId, sequence);
    const outcome = { status: 'ok' as const, snapshotBytes: snapshot.length };
    waiting.set(visit.id, { visit: { ...visit, outcome }, snapshot });
  }
  while (waiting.size > 0) await holdLine(waiting, `burst-${index}`);
}

function holdLine(waiting: Map<string, CompressedVisit>, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = new WebSocket(agentEndpoint(url), offerToken(token));
  const say = (message: AgentMessage) => socket.send(JSON.stringify(message));
  const handle: Partial<Record<ControllerMessage['type'], (message: ControllerMessage) => void>> = {
    welcome: () => say({ type: 'visits-waiting' }),
    ping: () => say({ type: 'pong' }),
    'upload-visits': () => {
      const batch = nextBatch(waiting);
      const visits = batch.map(({ visit }) => visit);
      socket.send(
        writeFrame(
          { type: 'visits', visits },
          batch.map(({ snapshot }) => snapshot!),
        ),
      );
    },
    'visits-stored': (message) => {
      for (const id of 'visitIds' in message ? message.visitIds : []) waiting.delete(id);
      if (waiting.size === 0) socket.close();
      else say({ type: 'visits-waiting' });
    },
    'visits-refused': (message) => {
      throw new Error(JSON.stringify(message));
    },
  };
  socket.on('open', () =>
    say({ type: 'hello', protocolVersion, agentVersion: '0', name, facts: hostFacts, passes: [] }),
  );
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ControllerMessage;
    handle[message.type]?.(message);
  });
  socket.on('error', () => undefined); // it connects again
  socket.on('close', () => setTimeout(resolve, waiting.size === 0 ? 0 : 250));
  return promise;
}

function nextBatch(waiting: ReadonlyMap<string, CompressedVisit>): CompressedVisit[] {
  const batch: CompressedVisit[] = [];
  let bytes = 0;
  for (const visit of waiting.values()) {
    bytes += visit.snapshot!.length;
    if (batch.length === batchVisits || (batch.length > 0 && bytes > batchBytes)) break;
    batch.push(visit);
  }
  return batch;
}
