import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import type { Pool } from 'pg';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { DiskSpace } from '#controller/captures/artefacts/disk-space.ts';
import { LiveProgress } from '#controller/coordinator/live-progress.ts';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import { PrometheusMetrics } from '#controller/operating/prometheus-metrics.ts';
import { claimRun } from '#controller/runs/claim-run.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { realTime } from '#core/clock/time.ts';

const log = pino({ level: 'silent' });

/** The next Run, taken up by a Controller that no Agent has come to. */
export async function takeUpRun(pool: Pool, signal = new AbortController().signal): Promise<RunContext> {
  const hub = new AgentHub({
    controllerVersion: 'test',
    verifyToken: () => Promise.resolve(null),
    recordAgent: () => Promise.resolve(1),
    log,
  });
  return {
    run: (await claimRun(pool, '00000000-0000-4000-8000-000000000001'))!,
    hub,
    epochClock: hub.epochClock,
    disk: new DiskSpace([]),
    siteReader: new SiteReader(),
    storeWatch: { problem: null },
    store: (work) => work(pool),
    uploads: new EventEmitter(),
    metrics: new PrometheusMetrics('test'),
    live: new LiveProgress(),
    notify: () => undefined,
    signal,
    time: realTime,
    leaving: new AbortController().signal,
    lost: new AbortController().signal,
    lookForAgents: () => Promise.resolve(),
    log,
  };
}
