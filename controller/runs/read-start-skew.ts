import type { Engine, UserAgent } from '#core/evaluation/users/user-agent.ts';
import type { StartSkew } from '#core/protocol/start-skew.ts';
import type { Queryable } from '../database/queryable.ts';

interface VisitRow {
  user_agent: string;
  agent: string;
  epoch_ms: number;
  error_ms: number;
  request_delay_ms: number | null;
}

interface PassRow extends VisitRow {
  packet_epoch_ms: number | null;
  packet_error_ms: number | null;
}

/** How far the instant that an engine gives for its first request is from the one at which a server on the machine saw it (ms), in 95 of 100 Visits: `bench/start-skew.ts`, with three engines that start at once on two cores. The extension is taken to be as late as the latest. */
const requestErrorMs: Record<Engine, number> = { chrome: 15, firefox: 25, http: 20, extension: 25 };

type Starter = Pick<UserAgent, 'name' | 'engine' | 'startOffsetMs'>;

/**
 * How far apart the Passes of a Round began: by the orders to load, by the first requests, and by the first packets of their Captures, as far as these are stored. A User Agent
 * that is to begin later counts as if it had begun earlier by that offset.
 */
export async function readStartSkew(
  db: Queryable,
  round: { id: string; userAgents: readonly Starter[]; isInStep: boolean },
): Promise<StartSkew> {
  const { rows } = await db.query<PassRow>(
    `select user_agent, agent, epoch_ms, error_ms, request_delay_ms,
       (outcome->>'firstPacketEpochMs')::float8 + (outcome->>'clockOffsetMs')::float8 as packet_epoch_ms,
       (outcome->>'clockErrorMs')::float8 as packet_error_ms
     from pass left join capture on capture.pass_id = pass.id
     cross join lateral (
       select (extract(epoch from visit.started_at) * 1000)::float8 as epoch_ms, clock_error_ms as error_ms, request_delay_ms
       from visit where visit.pass_id = pass.id order by sequence limit 1) first_visit
     where round_id = $1`,
    [round.id],
  );
  const byName = new Map(round.userAgents.map((userAgent) => [userAgent.name, userAgent]));
  const measure = (read: (row: PassRow) => Omit<Start, 'host'> | null): Skew | null => {
    const starts = rows.flatMap((row) => {
      const start = read(row);
      if (start === null) return [];
      return [{ ...start, host: row.agent, epochMs: start.epochMs - (byName.get(row.user_agent)?.startOffsetMs ?? 0) }];
    });
    return starts.length === rows.length ? measureSkew(starts) : null;
  };
  const ordered = measure(({ epoch_ms: epochMs, error_ms: errorMs }) => ({ epochMs, errorMs }));
  const readRequest = ({ user_agent, epoch_ms, error_ms: errorMs, request_delay_ms }: VisitRow) => {
    const engine = byName.get(user_agent)?.engine;
    if (request_delay_ms === null || !engine) return null;
    return { epochMs: epoch_ms + request_delay_ms, errorMs, ownErrorMs: requestErrorMs[engine] };
  };
  const requested = measure(readRequest);
  const ofPages = round.isInStep ? await readPageSkew(db, { id: round.id, readRequest }) : null;
  const captured = measure(({ packet_epoch_ms: epochMs, packet_error_ms: errorMs }) =>
    epochMs === null || errorMs === null ? null : { epochMs, errorMs },
  );
  return {
    startSkewMs: ordered?.skewMs ?? null,
    startSkewErrorMs: ordered?.errorMs ?? null,
    firstRequestSkewMs: requested?.skewMs ?? null,
    firstRequestSkewErrorMs: requested?.errorMs ?? null,
    firstPacketSkewMs: captured?.skewMs ?? null,
    firstPacketSkewErrorMs: captured?.errorMs ?? null,
    pageSkewMs: ofPages?.skewMs ?? null,
    pageSkewErrorMs: ofPages?.errorMs ?? null,
  };
}

/** The largest of all pages after the first whose first requests are known of all User Agents that load one at this place of their Passes. */
async function readPageSkew(
  db: Queryable,
  { id, readRequest }: { id: string; readRequest: (row: VisitRow) => Omit<Start, 'host'> | null },
): Promise<Skew | null> {
  const { rows } = await db.query<VisitRow & { sequence: number }>(
    `select sequence, user_agent, agent, (extract(epoch from visit.started_at) * 1000)::float8 as epoch_ms, clock_error_ms as error_ms, request_delay_ms
     from pass join visit on pass_id = pass.id where round_id = $1 and sequence > 0`,
    [id],
  );
  const skews = [...Map.groupBy(rows, ({ sequence }) => sequence).values()].flatMap((visits) => {
    const starts = visits.flatMap((row) => {
      const start = readRequest(row);
      return start ? [{ ...start, host: row.agent }] : [];
    });
    return (starts.length === visits.length && measureSkew(starts)) || [];
  });
  return skews.toSorted((one, other) => other.skewMs - one.skewMs)[0] ?? null;
}

/** Of so many Rounds: the median of fewer is moved by one that was disturbed, and one long ago says less of today. */
const roundsLearntFrom = 9;

/** How long each User Agent took from its order to its first request (ms), warm-up included: the lower median of the last completed Rounds of this Scenario. */
export async function readRequestDelays(
  db: Queryable,
  { runId, scenario }: { runId: string; scenario: string },
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ user_agent: string; delay_ms: number }>(
    `select user_agent, percentile_disc(0.5) within group (order by request_delay_ms) as delay_ms
     from (select id from round where run_id = $1 and scenario = $2 and state = 'completed' order by index desc limit ${roundsLearntFrom}) recent
     join pass on round_id = recent.id
     cross join lateral (select request_delay_ms from visit where pass_id = pass.id order by sequence limit 1) first_visit
     where request_delay_ms is not null group by user_agent`,
    [runId, scenario],
  );
  return new Map(rows.map(({ user_agent, delay_ms }) => [user_agent, delay_ms]));
}

/** When a User Agent began, on the common clock. Those of one host share a clock, whose error moves all of them alike. */
interface Start {
  host: string;
  epochMs: number;
  /** Bound of the error of its host's clock. */
  errorMs: number;
  /** Of its own instant, on that clock; none unless given. */
  ownErrorMs?: number;
}

interface Skew {
  skewMs: number;
  /** The true skew differs from it by no more than this. */
  errorMs: number;
}

/** The time between the first and the last start, and the bound of its error: between two hosts the errors of both clocks add up, on one host they cancel. Those of the instants themselves always add up. Null with fewer than two. */
export function measureSkew(starts: readonly Start[]): Skew | null {
  if (starts.length < 2) return null;
  const hosts = [...Map.groupBy(starts, ({ host }) => host).values()].map((own) => {
    const [times, errors] = [own.map(({ epochMs }) => epochMs), own.map(({ ownErrorMs = 0 }) => ownErrorMs)];
    const [earliest, latest] = [
      times.map((ms, index) => ms - errors[index]!),
      times.map((ms, index) => ms + errors[index]!),
    ];
    return {
      first: { from: Math.min(...earliest), seen: Math.min(...times), to: Math.min(...latest) },
      last: { from: Math.max(...earliest), seen: Math.max(...times), to: Math.max(...latest) },
      errorMs: Math.max(...own.map(({ errorMs }) => errorMs)),
    };
  });
  let [skewMs, atLeastMs, atMostMs] = [0, 0, 0];
  for (const early of hosts) {
    for (const late of hosts) {
      const clocksMs = early === late ? 0 : early.errorMs + late.errorMs;
      skewMs = Math.max(skewMs, late.last.seen - early.first.seen);
      atLeastMs = Math.max(atLeastMs, late.last.from - early.first.to - clocksMs);
      atMostMs = Math.max(atMostMs, late.last.to - early.first.from + clocksMs);
    }
  }
  return { skewMs, errorMs: Math.max(atMostMs - skewMs, skewMs - atLeastMs) };
}
