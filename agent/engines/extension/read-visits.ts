import { gunzipSync } from 'node:zlib';
import { fromColumns } from '#core/columns/from-columns.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { matchSnapshots } from '#core/protocol/match-snapshots.ts';
import { mostSnapshotBytes, type CompressedVisit } from '#core/protocol/sent-visit.ts';
import { VisitSchema, type Visit } from '#core/protocol/visit.ts';

/** The Visits of a message of the extension, with their Snapshots, which it compressed by gzip; nothing of another message. */
export function readVisits(message: AgentMessage, attached: Uint8Array<ArrayBuffer>): Visit[] | undefined {
  if (message.type !== 'visits') return undefined;
  return matchSnapshots(message.visits, attached)?.map(readVisit);
}

function readVisit({ visit, snapshot: compressed }: CompressedVisit): Visit {
  const snapshot: unknown =
    compressed && fromColumns(JSON.parse(gunzipSync(compressed, { maxOutputLength: mostSnapshotBytes }).toString()));
  return VisitSchema.parse({ ...visit, outcome: { ...visit.outcome, snapshot } });
}
