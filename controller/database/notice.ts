import { z } from 'zod';

/** All Controllers of a database listen to it. */
export const noticeChannel = 'http_ae';

/** What Controllers on one database notify each other of. A notice may be lost: it only says sooner what the database says. */
export const NoticeSchema = z.discriminatedUnion('kind', [
  /** There are messages for this Controller. */
  z.object({ kind: z.literal('messages'), to: z.uuid() }),
  /** Something about a Run changed. `from`: who knows already. */
  z.object({
    kind: z.literal('run'),
    from: z.uuid(),
    run: z.string().max(30),
    /** Whether by it a Run may be there to be taken. */
    isWork: z.boolean().default(false),
    /** Of Passes under way: how many Visits they have made, and the time of the last. */
    passes: z.array(z.tuple([z.uuid(), z.int().nonnegative(), z.number().nullable()])).default([]),
  }),
  /** A token was revoked. */
  z.object({ kind: z.literal('token'), token: z.string().max(30) }),
  /** A listening connection tries itself. */
  z.object({ kind: z.literal('trial'), of: z.uuid() }),
]);
export type Notice = z.infer<typeof NoticeSchema>;
