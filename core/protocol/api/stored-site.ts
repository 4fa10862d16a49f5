import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { SitePageSchema, SiteSchema } from '../../site/site.ts';
import { SiteContentsSchema } from '../../site/summarise-site.ts';
import { Sha256Schema } from '../capture-outcome.ts';

const Time = z.iso.datetime({ offset: true });

/** A Site that the Controller keeps, as lists show it. */
export const SiteSummarySchema = z.object({
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
  objects: SiteContentsSchema.shape.objects,
  /** Of the bodies of these objects. */
  bodyBytes: SiteContentsSchema.shape.bytes,
});
export type SiteSummary = z.infer<typeof SiteSummarySchema>;

export const SiteDetailSchema = SiteSummarySchema.extend({
  contents: SiteContentsSchema,
  /** Evaluations that load its pages. */
  evaluations: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type SiteDetail = z.infer<typeof SiteDetailSchema>;

export const SiteUploadQuery = z.object({
  /** The title of the recording when left out. */
  name: NameSchema.optional(),
});

/** One visit to one page of a recording. */
export const SiteVisitQuery = z.object({
  page: z.coerce.number().int().min(1).optional(),
  visit: z.coerce.number().int().min(1).optional(),
});
