import { annotationRoutes } from '../runs/annotation-routes.ts';
import { captureRoutes } from '../captures/capture-routes.ts';
import { describeApi } from './describe-api.ts';
import { evaluationRoutes } from '../evaluations/evaluation-routes.ts';
import { keepEvaluationRoutes } from '../evaluations/keep-evaluation.ts';
import { exclusionRoutes } from '../runs/exclusion-routes.ts';
import { comparisonRoutes } from '../reports/comparison-routes.ts';
import { reportRoutes } from '../reports/report-routes.ts';
import { peopleRoutes, accountRoutes } from '../people/people-routes.ts';
import { retentionRoutes } from '../operating/retention-routes.ts';
import { type Route, jsonRoute, streamRoute, emptyRoute, sendPieces, IdSchema, IdParams } from './route.ts';
import { runRoutes, needRun } from '../runs/run-routes.ts';
import type { Services } from './services.ts';
import { shareRoutes } from '../people/share-routes.ts';
import { replayRoutes } from '../sites/replay-routes.ts';
import { siteRoutes } from '../sites/site-routes.ts';
import { studyRoutes } from '../studies/study-routes.ts';
import { tryRoutes } from '../evaluations/try-routes.ts';
import { sessionRoutes } from '../people/session-routes.ts';
import { testbedRoutes } from '../agents/testbed-routes.ts';
import { tokenRoutes } from '../people/token-routes.ts';
import { visitArtefactRoutes } from '../visits/visit-artefact-routes.ts';
import { visitRoutes } from '../visits/visit-routes.ts';
import { z } from 'zod';
import { AuditActionSchema, AuditPageSchema } from '#core/protocol/api/audit-entry.ts';
import { listAuditEntries } from '../people/audit.ts';
import { createGzip } from 'node:zlib';
import { AppError } from '#core/app-error.ts';
import { listAddedRounds } from '../runs/store-added-rounds.ts';
import { readBundleLines } from '../reports/bundle-lines.ts';
import { needVisits } from '../visits/kept-visits.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { createHash } from 'node:crypto';
import { metricsVersion } from '#core/metrics/index.ts';
import { bundleVersion, bundleVersionWithAdded, type BundleLine } from '#core/record/bundle-line.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { listAgents, removeAgent } from '../agents/agents.ts';
import { hostJoinRoutes } from '../agents/host-join-routes.ts';
import { findMigrationProblem } from '../database/migrate.ts';
import { RunStateSchema } from '#core/protocol/api/run-summary.ts';
import type { Queryable } from '../database/queryable.ts';
import { createEvaluationJsonSchema } from '#core/evaluation/evaluation-json-schema.ts';

const HealthSchema = z.object({ status: z.literal('ok'), version: z.string() });

const entriesPerPage = 100;
const AuditQuery = z.object({
  before: IdSchema.optional(),
  action: AuditActionSchema.optional(),
  text: z.string().max(200).optional(),
});

/** The table of all routes. */
export function listRoutes(services: Services): Route[] {
  const routes: Route[] = [
    ...sessionRoutes(services),
    ...accountRoutes(services),
    ...peopleRoutes(services),
    ...evaluationRoutes(services),
    ...keepEvaluationRoutes(services),
    ...runRoutes(services),
    ...annotationRoutes(services),
    ...tryRoutes(services),
    ...studyRoutes(),
    ...comparisonRoutes(services),
    ...reportRoutes(services),
    ...shareRoutes(services),
    ...visitRoutes(services),
    ...visitArtefactRoutes(services),
    ...exclusionRoutes(services),
    ...bundleRoutes(services),
    ...captureRoutes(services),
    ...siteRoutes(services),
    ...replayRoutes(services),
    ...agentRoutes(services),
    ...testbedRoutes(services),
    ...hostJoinRoutes(services),
    ...tokenRoutes(services),
    ...auditRoutes(services),
    ...retentionRoutes(services),
    ...operatingRoutes(services),
    ...metaRoutes(services, () => describeApi(routes, services)),
  ];
  return routes;
}

function auditRoutes({ pool }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/audit',
      summary: `List the newest ${entriesPerPage} audit entries, or those before the entry \`before\``,
      access: 'admin',
      isForPeople: true,
      query: AuditQuery,
      answer: AuditPageSchema,
      handle: ({ query }) =>
        listAuditEntries(pool, {
          before: query.before ?? null,
          action: query.action ?? null,
          text: query.text?.trim() || null,
          limit: entriesPerPage,
        }),
    }),
  ];
}

function bundleRoutes({ pool, snapshots, controllerVersion }: Services): Route[] {
  return [
    streamRoute({
      method: 'get',
      path: '/api/runs/:id/bundle',
      summary:
        'Export all stored data of an ended Run as gzip-compressed lines of JSON, with raw Snapshots and hashes of traces. The command "report" makes its report',
      access: 'viewer',
      params: IdParams,
      content: { 'application/gzip': z.string() },
      write: async ({ params, response, signal }) => {
        if (isOpen((await needRun(pool, params.id)).state))
          throw new AppError('conflict', `Run ${params.id} has not ended: wait for its end, or stop it`);
        await needVisits(pool, params.id);
        const hasAdded = (await listAddedRounds(pool, params.id)).length > 0;
        response.attachment(`run-${params.id}.bundle.gz`);
        response.type('application/gzip');
        const text = writeBundle(readBundleLines(pool, { runId: params.id, snapshots }), {
          httpAeVersion: controllerVersion,
          hasAdded,
        });
        await sendPieces(text, { response, signal, through: createGzip() });
      },
    }),
  ];
}

/** A bundle as text, line by line: a first line that says what it is, the lines of the Run, and a last one by which the reader knows that none is missing or changed. `hasAdded`: whether Rounds were added to the Run. */
export async function* writeBundle(
  lines: AsyncIterable<string>,
  { httpAeVersion, hasAdded = false }: { httpAeVersion: string; hasAdded?: boolean },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let count = 0;
  const write = (line: string) => {
    const text = `${line}\n`;
    hash.update(text);
    count++;
    return text;
  };
  yield write(
    JSON.stringify({
      kind: 'bundle',
      version: hasAdded ? bundleVersionWithAdded : bundleVersion,
      httpAeVersion,
      metricsVersion,
    } satisfies BundleLine),
  );
  for await (const line of lines) yield write(line);
  yield `${JSON.stringify({ kind: 'end', lines: count, sha256: hash.digest('hex') } satisfies BundleLine)}\n`;
}

function agentRoutes({ pool, agents }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/agents',
      summary: 'List all Agents that have connected and were not revoked',
      access: 'viewer',
      answer: z.array(AgentSummarySchema),
      handle: async () => {
        const elsewhere = await agents.listElsewhere();
        return (await listAgents(pool)).map((agent) => ({
          ...agent,
          isConnected: agents.isConnected(agent.name) || elsewhere.has(agent.name),
        }));
      },
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/agents/:name',
      summary:
        'Revoke the token of an Agent, disconnect all Agents that use it, and remove this Agent from the list. Its measurements stay',
      access: 'evaluator',
      isForPeople: true,
      params: z.object({ name: NameSchema }),
      handle: async ({ params }) => {
        const removed = await removeAgent(pool, params.name);
        if (!removed) throw new AppError('not-found', `There is no Agent "${params.name}"`);
        if (removed.tokenId !== null) agents.dropToken(removed.tokenId);
      },
      audit: ({ params }) => ({ action: 'host-revoked', subject: params.name }),
    }),
  ];
}

/** What supervisors and Prometheus ask, where they expect it. */
function operatingRoutes({ pool, disk, storeWatch, metrics, readLoad }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/healthz',
      summary: 'Check that the process of the Controller answers; it does not ask the database',
      access: 'open',
      answer: z.object({ status: z.literal('ok') }),
      handle: () => Promise.resolve({ status: 'ok' as const }),
    }),
    jsonRoute({
      method: 'get',
      path: '/readyz',
      summary:
        'Check that the database answers and has the schema of this version, and that the disk has space. `problem` is what else needs an operator, such as a store of traces that is away',
      access: 'open',
      answer: z.object({ status: z.literal('ready'), problem: z.string().nullable() }),
      handle: async () => {
        const problem = await findMigrationProblem(pool);
        if (problem !== null) throw new AppError('migration-failed', problem);
        const diskProblem = await disk.findProblem();
        if (diskProblem !== null) throw new AppError('disk-full', diskProblem);
        return { status: 'ready' as const, problem: storeWatch.problem };
      },
    }),
    streamRoute({
      method: 'get',
      path: '/metrics',
      summary: 'Get the metrics of this Controller for Prometheus',
      access: 'viewer',
      content: { 'text/plain': z.string() },
      write: async ({ response }) => {
        const text = await metrics.read(readLoad(), await readStoredFigures(pool));
        response.set('cache-control', 'no-store').type(metrics.contentType).send(text);
      },
    }),
  ];
}

/** What operators watch of the database: Runs by state, and its size. */
export async function readStoredFigures(
  db: Queryable,
): Promise<{ runs: ReadonlyMap<string, number>; databaseBytes: number }> {
  const { rows } = await db.query<{ counts: Record<string, number>; bytes: string }>(
    `select (select coalesce(jsonb_object_agg(state, runs), '{}') from (select state, count(*) as runs from run where deleted_at is null group by state) by_state) as counts,
       pg_database_size(current_database()) as bytes`,
  );
  const { counts, bytes } = rows[0]!;
  return {
    runs: new Map(RunStateSchema.options.map((state) => [state, counts[state] ?? 0])),
    databaseBytes: Number(bytes),
  };
}

/** What anybody may ask: whether the Controller works, and what its API is. */
function metaRoutes({ pool, disk, controllerVersion }: Services, describe: () => Record<string, unknown>): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/health',
      summary: 'Check that the Controller and its database work and have free disk space',
      access: 'open',
      answer: HealthSchema,
      handle: async () => {
        await pool.query('select 1');
        const problem = await disk.findProblem();
        if (problem !== null) throw new AppError('disk-full', problem);
        return { status: 'ok' as const, version: controllerVersion };
      },
    }),
    jsonRoute({
      method: 'get',
      path: '/api/openapi.json',
      summary: 'Get this description',
      access: 'open',
      answer: z.record(z.string(), z.unknown()),
      handle: () => Promise.resolve(describe()),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/evaluation.schema.json',
      summary: 'Get the JSON Schema of an Evaluation, for editors and other programs',
      access: 'open',
      answer: z.record(z.string(), z.unknown()),
      handle: () => Promise.resolve({ ...createEvaluationJsonSchema() }),
    }),
  ];
}
