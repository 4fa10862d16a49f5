import { z } from 'zod';
import { SessionSummarySchema, type SessionSummary } from '#core/protocol/api/access.ts';
import { AuditPageSchema, type AuditPage } from '#core/protocol/api/audit-entry.ts';
import { RetentionSchema, type Retention } from '#core/protocol/api/retention.ts';
import { json, nothing, request } from './request.ts';

export function fetchSessions(of: 'own' | 'everybody', signal: AbortSignal): Promise<SessionSummary[]> {
  return request({
    path: of === 'own' ? '/api/sessions' : '/api/sessions/all',
    answer: json(z.array(SessionSummarySchema)),
    signal,
  });
}

export function endSession(id: string): Promise<void> {
  return request({ method: 'DELETE', path: `/api/sessions/${encodeURIComponent(id)}`, answer: nothing });
}

export function changePassword(passwords: { currentPassword: string; newPassword: string }): Promise<void> {
  return request({ method: 'PUT', path: '/api/account/password', body: { json: passwords }, answer: nothing });
}

export interface AuditFilter {
  /** Empty for all. */
  action: string;
  text: string;
}

export function fetchAuditPage(
  { action, text, before }: AuditFilter & { before: string | null },
  signal: AbortSignal,
): Promise<AuditPage> {
  const query = new URLSearchParams({
    ...(action && { action }),
    ...(text && { text }),
    ...(before !== null && { before }),
  });
  return request({ path: `/api/audit?${query.toString()}`, answer: json(AuditPageSchema), signal });
}

export function fetchRetention(signal: AbortSignal): Promise<Retention> {
  return request({ path: '/api/retention', answer: json(RetentionSchema), signal });
}
