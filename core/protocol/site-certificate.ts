import { z } from 'zod';
import { PublicKeySchema } from '../evaluation/browser/trusted-keys.ts';

const NameSchema = z.string().max(500);

/** What a server shows of itself, to be judged by a person. */
export const SiteCertificateSchema = z.object({
  /** A distinguished name, such as `CN=origin.example`. */
  subject: NameSchema,
  issuer: NameSchema,
  validUntil: z.iso.datetime(),
  /** For `trustedKeys`: the key of the last certificate that the server sends, mostly that of its authority. */
  trustedKey: PublicKeySchema,
});
export type SiteCertificate = z.infer<typeof SiteCertificateSchema>;
