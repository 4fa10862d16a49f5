import { z } from 'zod';
import { NameSchema } from '../../evaluation/name.ts';
import { VisitUrlSchema } from '../../evaluation/pages/visit-url.ts';

/** The certificate of an https URL, as a host sees it. */
export const CertificateRequestSchema = z.strictObject({
  url: VisitUrlSchema.refine((url) => /^https:/i.test(url), 'must be an https URL'),
  host: NameSchema,
});
export type CertificateRequest = z.infer<typeof CertificateRequestSchema>;
