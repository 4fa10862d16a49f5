import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '#controller/database/transaction.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRound } from '#controller/runs/rounds.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';

/** Stores a Run that no coordinator is to execute, with Passes that Agents may upload Visits of, `pages` each. The ids of the Passes, by Agent. */
export async function orderVisits(
  pool: Pool,
  { agents, pages, rounds }: { agents: string[]; pages: number; rounds: number },
): Promise<Map<string, string[]>> {
  const evaluation = EvaluationSchema.parse({
    name: `ingest ${randomUUID()}`,
    urlLists: { pages: [`http://origin.test/{1..${pages}}`] },
    userAgents: agents.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios: [{ name: 'only', baseline: true }],
  });
  const ordered = new Map<string, string[]>(agents.map((agent) => [agent, []]));
  await inTransaction(pool, async (client) => {
    const { id: evaluationId } = await createEvaluation(client, evaluation);
    const id = await createRun(client, { evaluationId, evaluation, seed: 1, roundsPlanned: rounds });
    for (let index = 0; index < rounds; index++) {
      const planned = { index, block: index + 1, scenario: 'only', warmUp: false };
      const passes = evaluation.userAgents.map(({ name, host }) => ({
        id: randomUUID(),
        userAgent: name,
        agent: host,
        visitsExpected: pages,
      }));
      await createRound(
        client,
        { id, epoch: 0, seed: 1, state: 'running', evaluation },
        { id: randomUUID(), planned, passes },
      );
      for (const pass of passes) ordered.get(pass.agent)!.push(pass.id);
    }
    await client.query(`update run set state = 'stopped' where id = $1`, [id]);
  });
  return ordered;
}
