import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { SiteExchangeSchema, SiteHostSchema, SitePageSchema, SiteSchema } from '../../site/site.ts';
import type { SiteSummary } from '../../site/summarise-site.ts';
import { Sha256Schema } from '../capture-outcome.ts';

const Count = z.number().int();
const Ms = z.number().nullable();
const Time = z.iso.datetime({ offset: true });

/** A Site that the Controller keeps, as lists show it. */
export const ListedSiteSchema = z.object({
  id: z.uuid(),
  /** By which URL lists refer to it. */
  name: NameSchema,
  /** Of its file. */
  sha256: Sha256Schema,
  /** Of its file. */
  bytes: z.number().int(),
  title: SiteSchema.shape.title,
  recordedAt: Time,
  uploadedAt: Time,
  uploadedBy: z.string(),
  pages: z.array(SitePageSchema.pick({ number: true, url: true, title: true })),
  hosts: z.number().int(),
  /** Of the first visit to each page. */
  objects: Count,
  /** Of the bodies of these objects. */
  bodyBytes: Count,
});
export type ListedSite = z.infer<typeof ListedSiteSchema>;

const ContentsSchema: z.ZodType<SiteSummary> = z.object({
  ...SiteSchema.pick({ title: true, software: true, recordedEpochMs: true, dropped: true }).shape,
  pages: z.array(
    z.object({
      ...SitePageSchema.pick({ number: true, url: true, title: true }).shape,
      ...{ visits: Count, objects: Count, bytes: Count },
      ...{ baseMs: Ms, viewportMs: Ms, totalMs: Ms },
      webSockets: Count,
    }),
  ),
  hosts: z.array(
    z.object({
      ...SiteHostSchema.pick({ name: true, address: true, protocols: true, connectMs: true }).shape,
      ...{ requests: Count, bytes: Count, thinkMs: Ms },
    }),
  ),
  types: z.array(z.object({ type: z.string(), requests: Count, bytes: Count })),
});

export const SiteDetailSchema = ListedSiteSchema.extend({
  contents: ContentsSchema,
  /** Evaluations that load its pages. */
  evaluations: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type SiteDetail = z.infer<typeof SiteDetailSchema>;

/** In addresses, a Site has its name or its id. */
export const SiteNameSchema = NameSchema.refine(
  (name) => !z.uuid().safeParse(name).success,
  'must not look like an id',
);

export const SiteUploadQuery = z.object({
  /** The title of the recording when left out. */
  name: SiteNameSchema.optional(),
});

/** One visit to one page of a recording. */
export const SiteVisitQuery = z.object({
  page: z.coerce.number().int().min(1),
  visit: z.coerce.number().int().min(1),
});

/** What it fetched, and the latencies that the browser of the recording measured. */
export const RecordedVisitSchema = z.object({
  exchanges: z.array(SiteExchangeSchema),
  latencies: z.object({ baseMs: Ms, viewportMs: Ms, totalMs: Ms }),
});
export type RecordedVisit = z.infer<typeof RecordedVisitSchema>;
