import { z } from 'zod';
import { RoleSchema } from '../role.ts';

const Time = z.iso.datetime({ offset: true });

export const RoleRequestSchema = z.strictObject({ role: RoleSchema });

export const PersonSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: RoleSchema,
  createdAt: Time,
  /** Null when no session is open. */
  lastUsedAt: Time.nullable(),
});
export type Person = z.infer<typeof PersonSchema>;

/** A one-time link that was not used yet. `person`: whose password it renews; null for somebody new. */
export const InvitationSchema = z.object({
  id: z.string(),
  role: RoleSchema,
  person: z.string().nullable(),
  madeBy: z.string().nullable(),
  expiresAt: Time,
});
export type Invitation = z.infer<typeof InvitationSchema>;
/** `ticket`, the secret of the link, appears only here, and is stored hashed. */
export const NewInvitationSchema = InvitationSchema.extend({ ticket: z.string() });
export type NewInvitation = z.infer<typeof NewInvitationSchema>;

export const PeopleSchema = z.object({ people: z.array(PersonSchema), invitations: z.array(InvitationSchema) });
export type People = z.infer<typeof PeopleSchema>;
