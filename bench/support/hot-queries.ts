import type { Pool } from 'pg';
import { readRunRecord } from '#controller/runs/read-run-record.ts';
import { rollUpRun } from '#controller/runs/rollups.ts';
import { listRoundViews } from '#controller/runs/round-views.ts';
import { listRuns } from '#controller/runs/search-runs.ts';
import { readStoredFigures } from '#controller/http/list-routes.ts';
import { needVisit } from '#controller/visits/visit-detail.ts';
import { listVisits } from '#controller/visits/visit-pages.ts';
import { findOrderedPasses, findVisitsMade, storeVisits, type DerivedVisit } from '#controller/visits/store-visits.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { RunSearchSchema } from '#core/protocol/api/run-search.ts';
import { makeBenchVisit } from './make-bench-visit.ts';
import { orderVisits } from './order-visits.ts';
import { makeSizedSnapshot } from './sized-snapshot.ts';

export interface HotQuery {
  name: string;
  repetitions: number;
  /** Comes before each repetition, and is not measured. */
  prepare?: () => Promise<void>;
  run: (db: Pool) => Promise<unknown>;
}

const visitsOfUpload = 10;
const uploadsOfPass = 10;
const agents = 10;
const pageLength = 200;

/** What a Controller asks its database for again and again. The Runs and Visits come in turn; they are of at most ten Runs, which lie apart from each other. */
export async function makeHotQueries(
  pool: Pool,
  { runIds, blocks }: { runIds: readonly string[]; blocks: number },
): Promise<HotQuery[]> {
  const chosen = spread(runIds, 10);
  const uploads = await makeUploads(pool);
  const nextRun = takeTurns(chosen);
  const nextVisit = takeTurns(await chooseVisits(pool, chosen));
  const nextUpload = takeTurns(uploads);
  const { passId } = uploads[0]![0]!.visit;
  const openRun = (await findOrderedPasses(pool, [passId])).get(passId)!.runId;
  const page = { scenario: null, url: null, userAgent: null, status: null, after: null, limit: pageLength };
  const middle = { block: Math.ceil(blocks / 2), id: '00000000-0000-0000-0000-000000000000' };
  let rolledUp = '';
  const byId = RunSearchSchema.parse({});
  const byVisits = RunSearchSchema.parse({ sort: 'visits' });
  const list = { before: null, withTries: false, limit: pageLength };
  return [
    { name: 'list of Runs', repetitions: 20, run: (db) => listRuns(db, { search: byId, ...list }) },
    { name: 'list of Runs by Visits', repetitions: 20, run: (db) => listRuns(db, { search: byVisits, ...list }) },
    { name: 'page of a Run', repetitions: 20, run: (db) => listRoundViews(db, nextRun(), 'current') },
    { name: 'page of the Run under way', repetitions: 20, run: (db) => listRoundViews(db, openRun, 'current') },
    { name: 'Visits of a Run', repetitions: 20, run: (db) => listVisits(db, { ...page, runId: nextRun() }) },
    {
      name: 'Visits from its middle',
      repetitions: 20,
      run: (db) => listVisits(db, { ...page, runId: nextRun(), after: middle }),
    },
    {
      name: 'Visits by total latency',
      repetitions: 10,
      run: (db) => listVisits(db, { ...page, runId: nextRun(), sort: 'total' }),
    },
    { name: 'one Visit', repetitions: 20, run: (db) => needVisit(db, nextVisit()) },
    {
      name: 'look-ups of an upload',
      repetitions: 20,
      run: async (db) => {
        const visits = nextUpload().map(({ visit }) => visit);
        await findOrderedPasses(db, [visits[0]!.passId]);
        await findVisitsMade(db, visits);
      },
    },
    { name: 'storing an upload', repetitions: 20, run: (db) => storeVisits(db, nextUpload()) },
    { name: 'record for a Comparison', repetitions: 5, run: (db) => readRunRecord(db, nextRun()) },
    {
      name: 'rollup of a Block',
      repetitions: 10,
      // The work is that of a new Block. Its Visits then count twice in the rollups; no query here depends on that.
      prepare: async () => {
        rolledUp = nextRun();
        await pool.query('update round set rolled_up = false where run_id = $1 and block = $2', [rolledUp, blocks]);
      },
      run: (db) => rollUpRun(db, rolledUp),
    },
    { name: 'total size', repetitions: 20, run: (db) => readStoredFigures(db) },
  ];
}

/** At most `count`, the first and the last too. */
function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from({ length: count }, (_, index) => all[Math.round((index * (all.length - 1)) / (count - 1))]!);
}

function takeTurns<T>(all: readonly T[]): () => T {
  let index = 0;
  return () => all[index++ % all.length]!;
}

/** Ten of each Run. */
async function chooseVisits(pool: Pool, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select visit.id
     from unnest($1::bigint[]) with ordinality as wanted (run_id, number)
     cross join lateral (
       select pass.id, row_number() over (order by pass.id) as turn from round join pass on pass.round_id = round.id where round.run_id = wanted.run_id limit 10) pass
     cross join lateral (select id from visit where pass_id = pass.id order by id limit 1) visit
     order by turn, number`,
    [runIds],
  );
  return rows.map(({ id }) => id);
}

/** Of a Round under way, whose Agents take turns. Each Visit has a Snapshot of 8 kB. */
async function makeUploads(pool: Pool): Promise<DerivedVisit[][]> {
  const names = Array.from({ length: agents }, (_, index) => `agent ${index + 1}`);
  const pages = visitsOfUpload * uploadsOfPass;
  const passIds = [...(await orderVisits(pool, { agents: names, pages, rounds: 1 })).values()].flat();
  return Array.from({ length: uploadsOfPass * passIds.length }, (_, index) =>
    Array.from({ length: visitsOfUpload }, (_, offset) =>
      makeVisit(passIds[index % passIds.length]!, Math.floor(index / passIds.length) * visitsOfUpload + offset),
    ),
  );
}

function makeVisit(passId: string, sequence: number): DerivedVisit {
  const snapshot = makeSizedSnapshot(8000);
  return {
    visit: { ...makeBenchVisit(passId, sequence), outcome: { status: 'ok', snapshot } },
    readings: deriveReadings(snapshot),
  };
}
