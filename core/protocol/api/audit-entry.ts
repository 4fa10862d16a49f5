import { z } from 'zod';

/** The actions in the audit log. */
export const AuditActionSchema = z.enum([
  'signed-in',
  'signed-out',
  'session-ended',
  'account-made',
  'password-changed',
  'person-invited',
  'password-link-made',
  'invitation-withdrawn',
  'role-changed',
  'person-removed',
  'token-made',
  'token-revoked',
  'host-revoked',
  'testbed-started',
  'testbed-ended',
  'ssh-login-begun',
  'ssh-login-ended',
  'ssh-login-stopped',
  'evaluation-created',
  'evaluation-changed',
  'evaluation-deleted',
  'evaluation-restored',
  'evaluation-erased',
  'retention-changed',
  'evaluation-annotated',
  'run-started',
  'rounds-added',
  'run-stopped',
  'run-paused',
  'run-resumed',
  'run-annotated',
  'run-deleted',
  'snapshots-deleted',
  'visits-deleted',
  'script-run',
  'visits-excluded',
  'exclusion-reversed',
  'site-uploaded',
  'site-deleted',
  'comparison-shared',
  'share-revoked',
]);
export type AuditAction = z.infer<typeof AuditActionSchema>;

export const AuditEntrySchema = z.object({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  /** Who: the name of a person, or of a token. */
  actor: z.string(),
  /** One of AuditAction; a later version may have written others. */
  action: z.string(),
  /** What it was done to. */
  subject: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  script: z.object({ sha256: z.string(), text: z.string() }).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

/** The newest first. `next`: what to give as `before` for the next page; null at the end. */
export const AuditPageSchema = z.object({ entries: z.array(AuditEntrySchema), next: z.string().nullable() });
export type AuditPage = z.infer<typeof AuditPageSchema>;
