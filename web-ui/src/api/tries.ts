import type { CertificateRequest } from '#core/protocol/api/certificate.ts';
import { RunSummarySchema, type RunSummary } from '#core/protocol/api/run.ts';
import type { TryRequest } from '#core/protocol/api/try.ts';
import { SiteCertificateSchema, type SiteCertificate } from '#core/protocol/site-certificate.ts';
import { json, request } from './request.ts';

/** Loads one URL once: the Run that does it. */
export function tryUrl(what: TryRequest): Promise<RunSummary> {
  return request({ method: 'POST', path: '/api/tries', body: { json: what }, answer: json(RunSummarySchema) });
}

/** The certificate of an https URL, as a host sees it. */
export function fetchCertificate(what: CertificateRequest, signal: AbortSignal): Promise<SiteCertificate> {
  const path = `/api/certificates?${new URLSearchParams(what).toString()}`;
  return request({ path, answer: json(SiteCertificateSchema), signal });
}
