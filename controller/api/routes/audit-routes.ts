import { z } from 'zod';
import { AuditActionSchema, AuditPageSchema } from '#core/protocol/api/audit-entry.ts';
import { listAuditEntries } from '../../db/access/audit.ts';
import { IdSchema } from '../parameters.ts';
import { jsonRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

const entriesPerPage = 100;
const AuditQuery = z.object({
  before: IdSchema.optional(),
  action: AuditActionSchema.optional(),
  text: z.string().max(200).optional(),
});

export function auditRoutes({ pool }: Services): Route[] {
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
