import { Button, Popover, Select, Stack, Text, Anchor } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExpandedUrl } from '#core/evaluation/pages/url-entry.ts';
import { fillVariables } from '#core/evaluation/pages/variables.ts';
import { NeedsRole } from '../../../../access/needs-role.tsx';
import { formatMs } from '../../../../format/format-times.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { listMeasurers, type Measurer } from '../../list-measurers.ts';
import { Link } from 'react-router';
import { fetchVisitPage } from '../../../../api/reports.ts';
import { visitQuery } from '../../../../api/queries.ts';
import { Facts } from '../../../../components/facts.tsx';
import type { Change } from '../../editor/change-yaml.ts';
import { readList, readPath } from '../../editor/path.ts';
import {
  SiteCertificateSchema,
  type SiteCertificate,
  type CertificateRequest,
} from '#core/protocol/site-certificate.ts';
import { json, request, problemOf } from '../../../../api/request.ts';
import { readTryConditions, tryUrls, useTriedRun } from './tries.ts';
import { ErrorText } from '../../fields/error-text.tsx';

const shownUrls = 50;

/** Loads one URL of a list once, now, with a connected Agent: does it load at all, and how long does it take? */
export function TryUrl({ urls }: { urls: ExpandedUrl[] }) {
  const { agents = [], evaluation, input } = useEditor();
  const measurers = listMeasurers(agents);
  const { variables, trustedKeys, host, engine, problem } = readTryConditions({ evaluation, input });
  const known = [...new Set(urls.slice(0, shownUrls).map(({ url }) => fillVariables(url, variables)))];
  const [wantedUrl, setUrl] = useState<string | null>(null);
  const [wantedWho, setWho] = useState<string | null>(null);
  const url = wantedUrl !== null && known.includes(wantedUrl) ? wantedUrl : known[0];
  const ofUser = measurers.find((each) => host === each.host && engine === each.engine);
  const who = measurers.find(({ key }) => key === wantedWho) ?? ofUser ?? measurers[0];
  const trying = useMutation({
    mutationFn: ({ url, who }: { url: string; who: Measurer }) => tryUrls({ urls: [url], by: who }, trustedKeys),
    meta: { showsProblem: true },
  });
  return (
    <Popover position="bottom-end" width="min(420px, 90vw)" withArrow trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" disabled={known.length === 0}>
          Try one
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Select
            label="URL to try"
            data={known}
            value={url ?? null}
            onChange={setUrl}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
          />
          <Select
            label="Loaded by"
            data={measurers.map(({ key, engine, host }) => ({ value: key, label: `${engine} on ${host}` }))}
            value={who?.key ?? null}
            onChange={setWho}
            allowDeselect={false}
            placeholder="no Agent connected"
            comboboxProps={{ withinPortal: false }}
          />
          <NeedsRole role="evaluator">
            <Button
              size="sm"
              fullWidth
              loading={trying.isPending}
              disabled={url === undefined || who === undefined || problem !== null}
              onClick={() => url !== undefined && who !== undefined && trying.mutate({ url, who })}
            >
              Load it once
            </Button>
          </NeedsRole>
          <ErrorText error={problem} />
          <ErrorText error={trying.error && problemOf(trying.error).message} role="alert" />
          {trying.data && trying.variables.url === url && trying.variables.who.key === who?.key && (
            <TryOutcome key={trying.data.id} runId={trying.data.id} url={url} host={who.host} />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The result of a try: the latencies, or why there are none. `url` was loaded on `host`. */
function TryOutcome({ runId, url, host }: { runId: string; url: string; host: string }) {
  const { run, error, isOver, waiting, noResult } = useTriedRun(runId);
  const { data: page } = useQuery({
    queryKey: ['tries', runId, 'visits'],
    queryFn: ({ signal }) =>
      fetchVisitPage({ runId, scenario: null, url: null, userAgent: null }, { after: null, signal }),
    enabled: isOver,
  });
  const visit = page?.visits[0];
  // Only the Visit itself says more than its code.
  const { data: failure } = useQuery({ ...visitQuery(visit?.id ?? ''), enabled: visit?.status === 'failed' });
  return (
    <div role="status">
      {error && <Text size="sm">{problemOf(error).message}</Text>}
      {!isOver && (
        <Text size="sm" c="dimmed">
          {run?.state === 'pending' ? (
            <>
              {waiting === null ? 'Waiting to start' : `Waiting for ${waiting}`}: see{' '}
              <Anchor component={Link} to="/runs" inherit underline="always">
                Runs
              </Anchor>
            </>
          ) : (
            'Loading …'
          )}
        </Text>
      )}
      {isOver && !visit && page && <Text size="sm">{noResult}</Text>}
      {visit && visit.status === 'failed' && (
        <Text size="sm" c="var(--mantine-color-error)">
          Failed: {visit.code}
          {failure?.detail && `, ${failure.detail}`}
        </Text>
      )}
      {visit?.status === 'failed' && visit.code === 'tls-failure' && <TrustCertificate url={url} host={host} />}
      {visit && visit.status === 'ok' && (
        <Facts
          facts={[fact('Base page', visit.baseMs), fact('Viewport', visit.viewportMs), fact('Total', visit.totalMs)]}
        />
      )}
      {isOver && (
        <Anchor component={Link} to={`/runs/${runId}`} size="sm">
          Run {runId}
        </Anchor>
      )}
    </div>
  );
}

function fact(label: string, valueMs: number | null) {
  return { label, value: valueMs === null ? 'not known' : formatMs(valueMs) };
}

/** Shows the certificate that a browser refused, and trusts it in all Scenarios once the evaluator says so. */
function TrustCertificate({ url, host }: { url: string; host: string }) {
  const { input, change } = useEditor();
  const { data: certificate, error } = useQuery({
    queryKey: ['certificates', host, url],
    queryFn: ({ signal }) => fetchCertificate({ url, host }, signal),
    retry: false,
    staleTime: Infinity,
  });
  if (error) return <Text size="sm">{problemOf(error).message}</Text>;
  if (!certificate) return null;
  const changes = listTrustChanges(input, certificate.trustedKey);
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Its certificate is for {certificate.subject}, by {certificate.issuer}, valid until{' '}
        {certificate.validUntil.slice(0, 10)}. Public key: {certificate.trustedKey}
      </Text>
      {changes.length > 0 ? (
        <Button size="compact-sm" variant="default" onClick={() => change(changes)}>
          Trust this certificate in all Scenarios
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          All Scenarios trust it.
        </Text>
      )}
    </Stack>
  );
}

/** What makes all Scenarios trust a key; none where they do. */
function listTrustChanges(input: unknown, trustedKey: string): Change[] {
  return readList(input, ['scenarios']).flatMap((scenario, index) => {
    const keys = readPath(scenario, ['browser', 'trustedKeys']) ?? [];
    const list: unknown[] = Array.isArray(keys) ? keys : [keys];
    if (list.includes(trustedKey)) return [];
    return [{ path: ['scenarios', index, 'browser', 'trustedKeys'], value: [...list, trustedKey] }];
  });
}

/** The certificate of an https URL, as a host sees it. */
function fetchCertificate(what: CertificateRequest, signal: AbortSignal): Promise<SiteCertificate> {
  const path = `/api/certificates?${new URLSearchParams(what).toString()}`;
  return request({ path, answer: json(SiteCertificateSchema), signal });
}
