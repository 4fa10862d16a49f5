import type { Role } from '#core/protocol/role.ts';
import { NewInvitationSchema, PeopleSchema, type NewInvitation, type People } from '#core/protocol/api/people.ts';
import { json, nothing, request } from './request.ts';

export function fetchPeople(signal: AbortSignal): Promise<People> {
  return request({ path: '/api/people', answer: json(PeopleSchema), signal });
}

export function changeRole({ id, role }: { id: string; role: Role }): Promise<void> {
  return request({
    method: 'PUT',
    path: `/api/people/${encodeURIComponent(id)}`,
    body: { json: { role } },
    answer: nothing,
  });
}

export function removePerson(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/people/${encodeURIComponent(id)}`, answer: nothing });
}

/** Only this answer contains the ticket of the link. */
export function invitePerson(role: Role): Promise<NewInvitation> {
  return request({
    method: 'POST',
    path: '/api/invitations',
    body: { json: { role } },
    answer: json(NewInvitationSchema),
  });
}

/** For a person who forgot the password. Only this answer contains the ticket of the link. */
export function makePasswordLink(id: string): Promise<NewInvitation> {
  return request({
    method: 'POST',
    path: `/api/people/${encodeURIComponent(id)}/password-link`,
    answer: json(NewInvitationSchema),
  });
}

export function withdrawInvitation(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/invitations/${encodeURIComponent(id)}`, answer: nothing });
}
