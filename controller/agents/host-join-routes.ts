import { z } from 'zod';
import { HostJoinRequestSchema, HostJoinSchema, HostJoinsSchema } from '#core/protocol/api/host-join.ts';
import { emptyRoute, jsonRoute, type Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import { nameIdentity } from '../people/identify.ts';

/** Joining hosts over SSH. Only admins may, by a session: the Controller's machine opens connections for them. */
export function hostJoinRoutes({ hostJoins }: Pick<Services, 'hostJoins'>): Route[] {
  return [
    jsonRoute({
      method: 'get',
      path: '/api/host-joins',
      summary: 'List the hosts that were joined over SSH from the page since the start of this Controller',
      access: 'admin',
      isForPeople: true,
      answer: HostJoinsSchema,
      handle: () => Promise.resolve({ obstacle: hostJoins.obstacle, joins: hostJoins.list() }),
    }),
    jsonRoute({
      method: 'post',
      path: '/api/host-joins',
      summary:
        'Log in to a machine over SSH, install HTTP-AE there, and join it as a host. Key and password are used for this alone, and not stored',
      access: 'admin',
      isForPeople: true,
      body: HostJoinRequestSchema,
      status: 201,
      answer: HostJoinSchema,
      handle: ({ body, identity }) => Promise.resolve(hostJoins.begin(body, nameIdentity(identity))),
      audit: (_call, { name, target }) => ({ action: 'ssh-login-begun', subject: name, details: { address: target } }),
    }),
    emptyRoute({
      method: 'delete',
      path: '/api/host-joins/:id',
      summary:
        'Stop joining a host, end the connection that holds its Agent, or take a join that has ended off the list',
      access: 'admin',
      isForPeople: true,
      params: z.object({ id: z.uuid() }),
      handle: ({ params }) => hostJoins.stop(params.id),
      audit: (_call, { name, wasOpen }) => (wasOpen ? { action: 'ssh-login-stopped', subject: name } : null),
    }),
  ];
}
