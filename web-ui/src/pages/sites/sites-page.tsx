import { Anchor, Code, Button, FileInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ListedSite } from '#core/protocol/api/stored-site.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { sitesQuery, uploadSite } from '../../api/site-requests.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Term } from '../../components/terms/term.tsx';
import { timeColumn } from '../../components/time-ago.tsx';
import { formatBytes, formatNumber } from '../../format/format-numbers.ts';
import { DeleteSiteButton } from './delete-site-button.tsx';

/** Which recordings can the testbed replay? */
export function SitesPage() {
  const query = useQuery(sitesQuery);
  return (
    <>
      <PageHeader title="Sites" actions={query.data?.length ? <UploadSiteButton /> : null} />
      <QueryContent query={query} what="The Sites">
        {(sites) =>
          sites.length > 0 ? (
            <DataTable rows={sites} columns={columns} rowKey={({ id }) => id} minWidthPx={900} inParts />
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
  timeColumn('Recorded', ({ recordedAt }) => recordedAt),
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

/** Uploads a recording, and opens its page. */
function UploadSiteButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <NeedsRole role="evaluator">
      <Button onClick={open}>Upload a Site</Button>
      <FormDialog title="Upload a Site" isOpen={isOpen} onClose={close}>
        <UploadForm />
      </FormDialog>
    </NeedsRole>
  );
}

function UploadForm() {
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const uploading = useMutation({
    mutationFn: uploadSite,
    meta: { showsProblem: true },
    onSuccess: async ({ id }) => {
      await navigate(`/sites/${id}`);
      await queryClient.invalidateQueries({ queryKey: ['sites'], exact: true });
    },
  });
  return (
    <DialogForm
      onSubmit={() => file && uploading.mutate({ file, name: name.trim() })}
      submitLabel="Upload"
      isComplete={file !== null}
      isPending={uploading.isPending}
      error={uploading.error}
      errorTitle="Not uploaded"
    >
      <FileInput
        label="File"
        description="A WACZ file of ./http-ae site record or ./http-ae site import."
        placeholder="Choose a file"
        accept=".wacz"
        value={file}
        onChange={setFile}
        data-autofocus
      />
      <TextInput
        label="Name"
        description="URL lists refer to the Site by it."
        placeholder="the title of the recording"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={80}
      />
    </DialogForm>
  );
}
