import { AppError } from '#core/app-error.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { SiteCertificateSchema, CertificateRequestSchema } from '#core/protocol/site-certificate.ts';
import { mostTriedUrls, TryRequestSchema, type TryRequest } from '#core/protocol/api/try.ts';
import { nameIdentity } from '../people/identify.ts';
import { createEvaluation, deleteEvaluation } from './evaluations.ts';
import { parseInput } from '../http/build-router.ts';
import { jsonRoute, type Route } from '../http/route.ts';
import { needRun } from '../runs/run-routes.ts';
import type { Services } from '../http/services.ts';

/** Whether URLs can be measured. They are tried by what measures them: a Run of one Visit of each, so that what a try says is what a Run will. */
export function tryRoutes({ pool, runControl, agents }: Services): Route[] {
  return [
    jsonRoute({
      method: 'post',
      path: '/api/tries',
      summary: `Load each of up to ${mostTriedUrls} URLs once, as soon as it shares nothing with a Run before it: a Run of one Visit of each. Lists of Runs leave it out by default`,
      access: 'evaluator',
      body: TryRequestSchema,
      status: 201,
      answer: RunSummarySchema,
      handle: async ({ body, identity }) => {
        if (!agents.isConnected(body.host) && !(await agents.listElsewhere()).has(body.host))
          throw new AppError(
            'agent-missing',
            `Agent "${body.host}" is not connected: start it, or choose another host`,
          );
        const requestedBy = nameIdentity(identity);
        const { id } = await createEvaluation(pool, describeTry(body), { by: requestedBy });
        try {
          return await needRun(pool, await runControl.requestRun({ evaluationId: id, requestedBy, isTry: true }));
        } finally {
          await deleteEvaluation(pool, id); // no list shows it
        }
      },
      audit: ({ body }, { id }) => ({
        action: 'run-started',
        subject: `Run ${id}: try of ${body.urls.length === 1 ? 'a URL' : `${body.urls.length} URLs`} on ${body.host}`,
        details: { run: id },
      }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/certificates',
      summary: 'Read the certificate of an https URL, as the Agent of a host sees it. Nothing is stored',
      access: 'evaluator',
      query: CertificateRequestSchema,
      answer: SiteCertificateSchema,
      handle: ({ query }) => agents.readCertificate(query),
    }),
  ];
}

/** Throws InvalidInputError for what no Evaluation may have, such as two URLs that are the same once their braces are escaped. */
function describeTry({ urls, host, engine, trustedKeys }: TryRequest): Evaluation {
  const input = {
    name: `Try of ${nameTried(urls)}`.slice(0, 80),
    urlLists: { one: urls.map((url) => ({ url: escapeBraces(url) })) },
    userAgents: [{ name: 'try', host, engine, urlList: 'one' }],
    scenarios: [{ name: 'as it is', baseline: true, browser: { trustedKeys } }],
    repetition: { rounds: 1, warmUp: false, attempts: 1 },
    capture: { enabled: false },
  };
  return parseInput(EvaluationSchema, { input, what: 'try' });
}

/** The host of all, or how many URLs they are. */
function nameTried(urls: readonly string[]): string {
  const hosts = new Set(urls.map((url) => new URL(url).host));
  return hosts.size === 1 ? [...hosts].join('') : `${urls.length} URLs`;
}

/** It is a URL already, and no pattern of several. */
function escapeBraces(url: string): string {
  return url.replaceAll('{', '%7B').replaceAll('}', '%7D');
}
