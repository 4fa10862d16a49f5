import { Button, Popover, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isObeyed } from '#core/evaluation/browser/engine-settings.ts';
import type { ExpandedUrl } from '#core/evaluation/pages/url-list.ts';
import { fillVariables } from '#core/evaluation/pages/variables.ts';
import { NeedsRole } from '../../../../access/needs-role.tsx';
import { problemOf } from '../../../../api/problem-error.ts';
import { tryUrl } from '../../../../api/tries.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { listMeasurers, type Measurer } from '../../list-measurers.ts';
import { TryOutcome } from './try-outcome.tsx';

const shownUrls = 50;

/** Loads one URL of a list once, now, with a connected Agent: does it load at all, and how long does it take? */
export function TryUrl({ urls }: { urls: ExpandedUrl[] }) {
  const { agents = [], evaluation } = useEditor();
  const measurers = listMeasurers(agents);
  // As the baseline loads it.
  const { variables = {}, browser } = evaluation?.scenarios.find(({ baseline }) => baseline) ?? {};
  const known = [...new Set(urls.slice(0, shownUrls).map(({ url }) => fillVariables(url, variables)))];
  const [wantedUrl, setUrl] = useState<string | null>(null);
  const [wantedWho, setWho] = useState<string | null>(null);
  const url = wantedUrl !== null && known.includes(wantedUrl) ? wantedUrl : known[0];
  const [user] = evaluation?.userAgents ?? [];
  const ofUser = user && measurers.find(({ host, engine }) => host === user.host && engine === user.engine);
  const who = measurers.find(({ key }) => key === wantedWho) ?? ofUser ?? measurers[0];
  const trying = useMutation({
    mutationFn: ({ url, who: { host, ...engine } }: { url: string; who: Measurer }) => {
      const trustedKeys = (isObeyed('trustedKeys', engine) && browser?.trustedKeys) || [];
      return tryUrl({ url, host, engine: engine.engine, trustedKeys });
    },
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
              disabled={url === undefined || who === undefined}
              onClick={() => url !== undefined && who !== undefined && trying.mutate({ url, who })}
            >
              Load it once
            </Button>
          </NeedsRole>
          {trying.error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {problemOf(trying.error).message}
            </Text>
          )}
          {trying.data && trying.variables.url === url && trying.variables.who.key === who?.key && (
            <TryOutcome key={trying.data.id} runId={trying.data.id} url={url} host={who.host} />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
