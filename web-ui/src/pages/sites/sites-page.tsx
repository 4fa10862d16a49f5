import { Anchor, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ListedSite } from '#core/protocol/api/stored-site.ts';
import { sitesQuery } from '../../api/site-requests.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Term } from '../../components/terms/term.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { formatBytes } from '../../format/format-numbers.ts';
import { DeleteSiteButton } from './delete-site-button.tsx';
import { UploadSiteButton } from './upload-site-button.tsx';

/** Which recordings can the testbed replay? */
export function SitesPage() {
  const query = useQuery(sitesQuery);
  return (
    <>
      <PageHeader title="Sites" actions={query.data?.length ? <UploadSiteButton /> : null} />
      <QueryContent query={query} what="The Sites">
        {(sites) =>
          sites.length > 0 ? (
            <DataTable rows={sites} columns={columns} rowKey={({ id }) => id} minWidthPx={900} />
          ) : (
            <EmptyState title="No Sites yet" action={<UploadSiteButton />}>
              A <Term of="site">Site</Term> has every host and every answer of recorded pages. Record pages on a machine
              that reaches them, then upload the file:
              <CopyableCode code="./http-ae site record https://example.org/ --to example.wacz" />
              The command <Code>./http-ae site import</Code> makes such a file from a HAR that has bodies.{' '}
              <Anchor component={Link} to="/help/sites" inherit underline="always">
                How Sites are recorded and replayed
              </Anchor>
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}

const columns: DataColumn<ListedSite>[] = [
  {
    name: 'Site',
    heading: <Term of="site">Site</Term>,
    isRowHeader: true,
    style: { minWidth: 170, overflowWrap: 'anywhere' },
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/sites/${id}`} inherit fw={600}>
        {name}
      </Anchor>
    ),
  },
  {
    name: 'Pages',
    isNumeric: true,
    sortBy: ({ pages }) => pages.length,
    cell: ({ pages }) => formatNumber(pages.length),
  },
  { name: 'Hosts', isNumeric: true, sortBy: ({ hosts }) => hosts, cell: ({ hosts }) => formatNumber(hosts) },
  { name: 'Objects', isNumeric: true, sortBy: ({ objects }) => objects, cell: ({ objects }) => formatNumber(objects) },
  {
    name: 'Size',
    isNumeric: true,
    sortBy: ({ bodyBytes }) => bodyBytes,
    cell: ({ bodyBytes }) => formatBytes(bodyBytes),
  },
  {
    name: 'Recorded',
    isNumeric: true,
    sortBy: ({ recordedAt }) => recordedAt,
    cell: ({ recordedAt }) => <TimeAgo time={recordedAt} />,
  },
  {
    name: 'Uploaded by',
    isMinor: true,
    style: { overflowWrap: 'anywhere' },
    sortBy: ({ uploadedBy }) => uploadedBy,
    cell: ({ uploadedBy }) => uploadedBy,
  },
  {
    name: 'Actions',
    isActions: true,
    isNumeric: true,
    widthPx: 90,
    cell: (site) => <DeleteSiteButton site={site} isInRow />,
  },
];
