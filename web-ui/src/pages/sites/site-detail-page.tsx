import { Anchor, Button, List, Text, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { stringify } from 'yaml';
import type { LatencyId } from '#core/metrics/index.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import type { SiteDetail, RecordedVisit } from '#core/protocol/api/stored-site.ts';
import type { SiteSummary } from '#core/site/summarise-site.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { agentsQuery, evaluationsQuery } from '../../api/queries.ts';
import { siteFilePath, siteQuery, recordedVisitQuery } from '../../api/site-requests.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { Section } from '../../components/section.tsx';
import { formatBytes, formatCount, formatNumber } from '../../format/format-numbers.ts';
import { formatTime } from '../../format/format-times.ts';
import { layOutRecording } from '../../waterfall/recorded-waterfall.ts';
import { findFreeTitle } from '../evaluation/editor/find-free-name.ts';
import { listMeasurers } from '../evaluation/list-measurers.ts';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit } from '../visit/visit-markers.ts';
import { WaterfallLegend } from '../visit/waterfall-legend.tsx';
import { PlainWaterfall } from '../visit/waterfall-table.tsx';
import { DeleteSiteButton } from './delete-site-button.tsx';
import { HostTable, PageTable, TypeTable } from './site-tables.tsx';

const parent = { to: '/sites', label: 'Sites' };

/** What is in a recording? */
export function SitePage() {
  const { siteId = '' } = useParams();
  const query = useQuery(siteQuery(siteId));
  return (
    <QueryContent query={query} what="The Site" parent={parent}>
      {(site) => <ShownSite key={site.id} site={site} />}
    </QueryContent>
  );
}

function ShownSite({ site }: { site: SiteDetail }) {
  const { id, name, title, bytes, objects, bodyBytes, recordedAt, uploadedAt, uploadedBy, contents, evaluations } =
    site;
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title={name}
        documentTitle={`Site ${name}`}
        parent={parent}
        description={title === name ? undefined : title}
        actions={
          <>
            <UseSiteButton name={name} page={contents.pages[0]!.number} />
            <Button component="a" href={siteFilePath(id)} download variant="default">
              Download
            </Button>
            <DeleteSiteButton site={site} onDeleted={() => void navigate(parent.to)} />
          </>
        }
      />
      <Facts
        facts={[
          { label: 'Pages', value: formatNumber(contents.pages.length) },
          { label: 'Hosts', value: formatNumber(contents.hosts.length) },
          { label: 'Objects', value: formatNumber(objects) },
          { label: 'Size', value: formatBytes(bodyBytes) },
          { label: 'File', value: formatBytes(bytes) },
          { label: 'Recorded', value: formatTime(recordedAt) },
          { label: 'Recorded by', value: contents.software },
          { label: 'Uploaded', value: formatTime(uploadedAt) },
          { label: 'Uploaded by', value: uploadedBy },
        ]}
      />
      <Section title="Pages">
        <PageTable pages={contents.pages} />
      </Section>
      <RecordingWaterfall id={id} pages={contents.pages} hosts={contents.hosts} />
      <Section title="Hosts">
        <HostTable hosts={contents.hosts} />
      </Section>
      <Section title="Contents">
        <TypeTable types={contents.types} />
        <Text size="sm" c="dimmed">
          Of all visits. Sizes are those of bodies, as they crossed the network.
        </Text>
      </Section>
      <Section title="Left out">
        <DroppedHeaders dropped={contents.dropped} />
        <WebSockets pages={contents.pages} />
      </Section>
      {evaluations.length > 0 && (
        <Section title="Evaluations that load it">
          <List size="sm">
            {evaluations.map((evaluation) => (
              <List.Item key={evaluation.id}>
                <Anchor component={Link} to={`/evaluations/${evaluation.id}`} size="sm">
                  {evaluation.name}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Section>
      )}
    </>
  );
}

/** Opens a draft that loads one of its pages. */
function UseSiteButton({ name, page }: { name: string; page: number }) {
  const { data: agents } = useQuery(agentsQuery);
  const { data: evaluations } = useQuery(evaluationsQuery);
  const navigate = useNavigate();
  const use = () => {
    const takenNames = evaluations?.map((evaluation) => evaluation.name) ?? [];
    const yaml = writeSiteEvaluation({ site: { name, page }, agents: agents ?? [], takenNames });
    void navigate('/evaluations/new', { state: { yaml } });
  };
  return (
    <NeedsRole role="evaluator">
      <Button onClick={use} loading={!agents || !evaluations}>
        Use in a new Evaluation
      </Button>
    </NeedsRole>
  );
}

/** Replays refuse them. */
function WebSockets({ pages }: Pick<SiteDetail['contents'], 'pages'>) {
  const opened = pages.reduce((sum, { webSockets }) => sum + webSockets, 0);
  if (opened === 0) return null;
  return (
    <Text size="sm">The pages opened {formatCount(opened, 'WebSocket')} in all visits. These are not recorded.</Text>
  );
}

/** Replays answer without them. */
function DroppedHeaders({ dropped }: Pick<SiteDetail['contents'], 'dropped'>) {
  if (dropped.length === 0) return <Text size="sm">No header was left out as a secret.</Text>;
  const headers = dropped.map(({ header, times }) => `${header} (${formatCount(times, 'time')})`);
  return <Text size="sm">Headers that may hold secrets: {headers.join(', ')}.</Text>;
}

/** What a visit of the recording fetched, and when. */
function RecordingWaterfall({ id, pages, hosts }: { id: string } & Pick<SiteSummary, 'pages' | 'hosts'>) {
  const [pageNumber, setPage] = useState(pages[0]!.number);
  const [chosenVisit, setVisit] = useState(1);
  const page = pages.find(({ number }) => number === pageNumber)!;
  const visit = Math.min(chosenVisit, page.visits);
  const query = useQuery(recordedVisitQuery(id, { page: pageNumber, visit }));
  return (
    <Section
      title="Waterfall of the recording"
      beside={
        <Group gap="xs">
          {pages.length > 1 && (
            <NativeSelect
              size="xs"
              maw={280}
              aria-label="Page"
              value={pageNumber}
              onChange={({ currentTarget }) => setPage(Number(currentTarget.value))}
              data={pages.map(({ number, title, url }) => ({
                value: String(number),
                label: `${number}. ${title || url}`,
              }))}
            />
          )}
          {page.visits > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Visit"
              value={visit}
              onChange={({ currentTarget }) => setVisit(Number(currentTarget.value))}
              data={Array.from({ length: page.visits }, (_, index) => ({
                value: String(index + 1),
                label: `Visit ${index + 1}`,
              }))}
            />
          )}
        </Group>
      }
    >
      <QueryContent
        query={query}
        what="The waterfall"
        skeleton={<RowsSkeleton rows={1} heightPx={heightOf(page.objects)} />}
      >
        {(recorded) => <DrawnRecording recorded={recorded} hosts={hosts} />}
      </QueryContent>
    </Section>
  );
}

/** As high as the waterfall of a visit to the page will be: its legend, its head and its rows, in a frame that scrolls. */
function heightOf(objects: number): number {
  return 44 + Math.min(34 + 26 * objects, 760, 0.74 * window.innerHeight);
}

function DrawnRecording({ recorded, hosts }: { recorded: RecordedVisit; hosts: SiteSummary['hosts'] }) {
  const { exchanges, latencies } = recorded;
  const waterfall = useMemo(() => layOutRecording({ exchanges, hosts }), [exchanges, hosts]);
  const known = Object.entries(latencies).filter((each): each is [LatencyId, number] => each[1] !== null);
  const markers = markVisit({ readings: Object.fromEntries(known) });
  const endMs = Math.max(waterfall.endMs, ...markers.map(({ atMs }) => atMs));
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <WaterfallLegend markers={markers} />
        <Text size="xs" c="dimmed">
          {formatCount(waterfall.rows.length, 'request')}
        </Text>
      </Group>
      <PlainWaterfall rows={waterfall.rows} scale={makeScale(endMs, markers)} />
    </Stack>
  );
}

/** The names of a testbed's Agents, unless it was started with others. */
const userHost = 'remote';

interface SiteEvaluationOptions {
  site: { name: string; page: number };
  agents: readonly AgentSummary[];
  /** Names that other Evaluations have. */
  takenNames: readonly string[];
}

/** An Evaluation that loads a page of a Site over two links of the testbed, as a text to continue with. */
export function writeSiteEvaluation({ site, agents, takenNames }: SiteEvaluationOptions): string {
  const engine = listMeasurers(agents).find(({ host }) => host === userHost)?.engine ?? 'chrome';
  const sections = [
    { name: findFreeTitle(site.name, takenNames) },
    { urlLists: { [site.name]: { site: site.name, page: site.page } } },
    {
      scenarios: [
        { name: 'Cable', baseline: true, network: { link: 'cable' } },
        { name: 'Satellite', network: { link: 'geo-1m' } },
      ],
    },
    { userAgents: [{ name: 'User', host: userHost, engine, urlList: site.name }] },
    { repetition: { rounds: 5 } },
  ];
  return sections.map((section) => stringify(section, { lineWidth: 0 })).join('\n');
}
