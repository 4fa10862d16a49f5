import type { Pool, PoolClient, QueryConfig } from 'pg';
import { withClient } from '#controller/database/migrate.ts';
import { summarisePlan, type ExplainedPlan, type PlanSummary } from './summarise-plan.ts';

export interface ExplainedStatement {
  text: string;
  /** How often the work runs it. */
  times: number;
  plan: PlanSummary;
}

/**
 * The different statements that `work` runs, each with its plan the first time: it is explained with the same parameters right before it runs. Explaining executes a statement. So all of it
 * is in one transaction, which is rolled back, and transactions of `work` are parts of that one.
 */
export async function explainStatements(
  pool: Pool,
  work: (db: Pool) => Promise<unknown>,
): Promise<ExplainedStatement[]> {
  const found = new Map<string, ExplainedStatement>();
  await withClient(pool, async (client) => {
    await client.query('begin');
    try {
      await work(explainingPool(client, found));
    } finally {
      await client.query('rollback');
    }
  });
  return [...found.values()];
}

/** A pool of that one client. */
function explainingPool(client: PoolClient, found: Map<string, ExplainedStatement>): Pool {
  const query = async (statement: string | QueryConfig, given?: unknown[]) => {
    const { text, values = given } = typeof statement === 'string' ? { text: statement } : statement;
    if (/^(begin|commit|rollback)\b/.test(text)) return { rows: [], rowCount: 0 };
    const known = found.get(text);
    if (known) known.times++;
    else if (/^\s*(with|select|insert|update|delete)\b/.test(text))
      found.set(text, { text, times: 1, plan: await explain(client, text, values) });
    return client.query(statement as QueryConfig, given);
  };
  const lent = { query, release: () => undefined, on: () => undefined, off: () => undefined };
  return { query, connect: () => Promise.resolve(lent) } as unknown as Pool;
}

/** What the statement stores while it is explained is undone, so that it does not find that when it runs. */
async function explain(client: PoolClient, text: string, values: unknown[] | undefined): Promise<PlanSummary> {
  await client.query('savepoint explained');
  const { rows } = await client.query<{ 'QUERY PLAN': ExplainedPlan[] }>(
    `explain (analyze, buffers, costs off, timing off, summary on, format json) ${text}`,
    values,
  );
  await client.query('rollback to savepoint explained');
  return summarisePlan(rows[0]!['QUERY PLAN'][0]!);
}
