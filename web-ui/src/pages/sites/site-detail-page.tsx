import { Anchor, Button, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import type { SiteDetail } from '#core/protocol/api/stored-site.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { agentsQuery, evaluationsQuery } from '../../api/queries.ts';
import { siteFilePath, siteQuery } from '../../api/site-requests.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Section } from '../../components/section.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { formatBytes, formatCount } from '../../format/format-numbers.ts';
import { formatTime } from '../../format/format-times.ts';
import { DeleteSiteButton } from './delete-site-button.tsx';
import { RecordingWaterfall } from './recording-waterfall.tsx';
import { HostTable, PageTable, TypeTable } from './site-tables.tsx';
import { writeSiteEvaluation } from './write-site-evaluation.ts';

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
