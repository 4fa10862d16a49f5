import { z } from 'zod';
import { PublicKeySchema } from '../evaluation/browser/trusted-keys.ts';
import { NameSchema } from '../evaluation/name.ts';
import { VisitUrlSchema } from '../evaluation/pages/visit-url.ts';

const PartySchema = z.string().max(500);

/** The certificate of an https URL, as a host sees it. */
export const CertificateRequestSchema = z.strictObject({
  url: VisitUrlSchema.refine((url) => /^https:/i.test(url), 'must be an https URL'),
  host: NameSchema,
});
export type CertificateRequest = z.infer<typeof CertificateRequestSchema>;

/** What a server shows of itself, to be judged by a person. */
export const SiteCertificateSchema = z.object({
  /** A distinguished name, such as `CN=origin.example`. */
  subject: PartySchema,
  issuer: PartySchema,
  validUntil: z.iso.datetime(),
  /** For `trustedKeys`: the key of the last certificate that the server sends, mostly that of its authority. */
  trustedKey: PublicKeySchema,
});
export type SiteCertificate = z.infer<typeof SiteCertificateSchema>;
