import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { runAgent } from '#agent/run-agent.ts';
import { launcher } from '#cli/installation.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';

/** A real Agent with the http engine. Disposing of it ends its process-wide work and its line. */
export async function startMeasuringAgent({
  pool,
  controllerUrl,
  name,
}: {
  pool: Pool;
  controllerUrl: string;
  name: string;
}): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await makeTemporaryFolder());
  const { token } = await issueToken(pool, { name: `token of ${name}`, scope: 'agent' });
  const ending = new AbortController();
  const log = pino({ level: 'silent' });
  const over = runAgent({
    controllerUrl,
    token,
    name,
    allowScripts: false,
    homeFolder: folder.path,
    agentVersion: '0',
    launcher,
    chromePath: null,
    log,
    signal: ending.signal,
  });
  over.catch(() => undefined); // looked at when it is disposed of
  stack.defer(async () => {
    ending.abort();
    await over;
  });
  return stack.move();
}

/** The Visits that Agents were informed are stored, of which they keep nothing. */
export class AcknowledgedVisits {
  readonly #ids = new Set<string>();
  #text = '';

  /** What a Controller sends: the texts of its messages are in it as they are. */
  readonly hear = (data: Buffer): void => {
    this.#text += data.toString('latin1');
    for (const [, ids] of this.#text.matchAll(/"visits-stored","visitIds":\[([^\]]*)\]/g))
      for (const id of JSON.parse(`[${ids!}]`) as string[]) this.#ids.add(id);
    // A message may come in pieces.
    this.#text = this.#text.slice(-50_000);
  };

  /** How many there are, and how many of them the database has: each once. */
  async count(pool: Pool): Promise<{ acknowledged: number; stored: number }> {
    const { rowCount } = await pool.query('select from visit where id = any($1::uuid[])', [[...this.#ids]]);
    return { acknowledged: this.#ids.size, stored: rowCount! };
  }
}

export interface Page extends AsyncDisposable {
  url: string;
  /** How often it was asked for. */
  requests: number;
  /** Asked for, it answers only after `release`. */
  hold(): void;
  release(): void;
}

/** A page of one document. */
export async function servePage(): Promise<Page> {
  let gate: PromiseWithResolvers<void> | null = null;
  const server = createServer((_request, response) => {
    page.requests++;
    void Promise.resolve(gate?.promise).then(() =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>'),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const page: Page = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    hold: () => (gate ??= Promise.withResolvers()),
    release: () => {
      gate?.resolve();
      gate = null;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return page;
}

/** Two Scenarios and one User Agent on each host, which loads three URLs. */
export function evaluationOn(hosts: readonly string[], { url, rounds }: { url: string; rounds: number }): Evaluation {
  return EvaluationSchema.parse({
    name: 'Several Controllers',
    urlLists: { pages: [`${url}/{1..3}`] },
    userAgents: hosts.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios: [{ name: 'one', baseline: true }, { name: 'two' }],
    pageLoad: { restMs: 0, quietMs: 50, timeoutMs: 30_000 },
    repetition: { rounds, warmUp: false, attempts: 5 },
  });
}

/** What is stored of a Run: each planned Round completed once, with every Visit once. */
export async function countCompleted(
  pool: Pool,
  runId: string,
): Promise<{ rounds: number; indexes: number; visits: number; distinctVisits: number }> {
  const { rows } = await pool.query<{ rounds: number; indexes: number; visits: number; distinctVisits: number }>(
    `select count(distinct round.id)::int as rounds, count(distinct round.index)::int as indexes, count(visit.id)::int as visits, count(distinct (pass.id, visit.sequence))::int as "distinctVisits"
     from round join pass on pass.round_id = round.id left join visit on visit.pass_id = pass.id where run_id = $1 and round.state = 'completed'`,
    [runId],
  );
  return rows[0]!;
}
