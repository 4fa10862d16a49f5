import { RetentionSchema } from '#core/protocol/api/retention.ts';
import { idleSessionHours, sessionHours } from '../../db/sessions.ts';
import { ticketHours } from '../../db/sign-in-tickets.ts';
import { measureStorage } from '../../db/storage.ts';
import { jsonRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

export function retentionRoutes({ pool, traces, pictures }: Services): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/retention',
      summary: 'Get the retention limits and the disk usage',
      access: 'viewer',
      answer: RetentionSchema,
      handle: async () => {
        const { traceBytes, pictureBytes, databaseBytes } = await measureStorage(pool);
        return {
          traces: { limitBytes: traces.maximumBytes, storedBytes: traceBytes },
          pictures: { limitBytes: pictures.maximumBytes, storedBytes: pictureBytes },
          databaseBytes,
          sessionHours,
          idleSessionHours,
          ticketHours,
        };
      },
    }),
  ];
}
