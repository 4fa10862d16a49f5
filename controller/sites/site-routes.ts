import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { NameSchema } from '#core/evaluation/name.ts';
import {
  SiteDetailSchema,
  ListedSiteSchema,
  RecordedVisitSchema,
  SiteUploadQuery,
  SiteVisitQuery,
} from '#core/protocol/api/stored-site.ts';
import { emptyRoute, jsonRoute, sendPieces, streamRoute, type Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { nameIdentity } from '../people/identify.ts';
import { listEvaluationsOf, listSites, needSite, readIndexOf } from './sites.ts';

/** Its id or its name. */
const SiteParams = z.object({ id: NameSchema });

/** Recordings of real sites, which the testbed replays. */
export function siteRoutes({ pool, sites, siteReader }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/sites',
      summary: 'List all Sites: recordings that the testbed replays',
      access: 'viewer',
      answer: z.array(ListedSiteSchema),
      handle: () => listSites(pool),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/sites',
      summary:
        'Upload a Site: the body is the WACZ file that "./http-ae site record" writes. Its name is the title of the recording unless one is given',
      access: 'evaluator',
      query: SiteUploadQuery,
      status: 201,
      answer: ListedSiteSchema,
      handle: ({ query, request, identity, signal }) =>
        sites.receive(request, { name: query.name ?? null, uploadedBy: nameIdentity(identity), signal }),
      audit: (_call, { name, sha256, bytes }) => ({
        action: 'site-uploaded',
        subject: name,
        details: { sha256, bytes },
      }),
    }),
    jsonRoute({
      method: 'get',
      path: '/api/sites/:id',
      summary: 'Get a Site by its id or its name: its pages, hosts and types of contents',
      access: 'viewer',
      params: SiteParams,
      answer: SiteDetailSchema,
      handle: async ({ params }) => {
        const site = await needSite(pool, params.id);
        return {
          ...site,
          contents: await siteReader.summarise(await readIndexOf(pool, site.id)),
          evaluations: await listEvaluationsOf(pool, site.name),
        };
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/sites/:id/visit',
      summary: 'Get what one visit of a recording to one page fetched, without bodies, and its latencies',
      access: 'viewer',
      params: SiteParams,
      query: SiteVisitQuery,
      content: { 'application/json': RecordedVisitSchema },
      write: async ({ params, query, response }) => {
        const { id } = await needSite(pool, params.id);
        const text = await siteReader.writeVisit(await readIndexOf(pool, id), query);
        response.type('application/json').send(text);
      },
    }),
    streamRoute({
      method: 'get',
      path: '/api/sites/:id/file',
      summary: 'Download the WACZ file of a Site. Agents may, too',
      access: 'viewer',
      isForAgents: true,
      params: SiteParams,
      content: { 'application/wacz': z.string() },
      write: async ({ params, response, signal }) => {
        const { name, sha256 } = await needSite(pool, params.id);
        await using file = await sites.files.open(sha256);
        if (!file)
          throw new AppError(
            'not-found',
            `The file of the Site "${name}" is not where this Controller keeps its files: another Controller has it, or it was removed`,
          );
        response.attachment(`${name}.wacz`).type('application/wacz');
        response.setHeader('content-length', file.bytes);
        await sendPieces(file.read(), { response, signal });
      },
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/sites/:id',
      summary: 'Delete a Site and its file. Results of Runs that loaded it stay',
      access: 'evaluator',
      params: SiteParams,
      handle: ({ params }) => sites.remove(params.id),
      audit: (_call, { name, sha256 }) => ({ action: 'site-deleted', subject: name, details: { sha256 } }),
    }),
  ];
}
