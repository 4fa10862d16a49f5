import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatReportFile, reportParts } from '#core/comparison/report-file.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { measurementsQuery, methodQuery, wireQuery } from '../../api/queries.ts';
import { fetchComparison } from '../../api/reports.ts';
import { request, text } from '../../api/request.ts';
import { bundlePath, visitsPath } from '../../api/run-requests.ts';
import { useIsAlone } from '../../components/report-place.ts';
import { saveFile } from '../../export/save-file.ts';

/** All files that a Comparison can be taken away as; latencies count from there. Who sees only the Comparison gets the report. */
export function ExportMenu({ runId, from }: { runId: string; from: LatencyOrigin }) {
  const isAlone = useIsAlone();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const [comparison, wire, method, measurements, script, style] = await Promise.all([
        fetchComparison(runId, { from, cells: 'all' }),
        client.query({ ...wireQuery(runId), staleTime: 0 }),
        client.query({ ...methodQuery(runId), staleTime: 0 }),
        client.query({ ...measurementsQuery(runId, { measures: null, from }), staleTime: 0 }),
        request({ path: reportParts.script, answer: text }),
        request({ path: reportParts.style, answer: text }),
      ]);
      const html = await formatReportFile({
        data: { version: 1, comparison, wire, method, measurements },
        script,
        style,
      });
      const suffix = from === 'navigation-start' ? '' : `-from-${from}`;
      saveFile(new Blob([html], { type: 'text/html;charset=utf-8' }), `run-${runId}-report${suffix}.html`);
    },
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={save.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate()}>Report as HTML</Menu.Item>
        {!isAlone && (
          <>
            <Menu.Item component="a" href={visitsPath(runId, { format: 'csv', from })} download>
              Visits as CSV
            </Menu.Item>
            <Menu.Item component="a" href={visitsPath(runId, { format: 'json', from })} download>
              Visits as JSON
            </Menu.Item>
            <Menu.Item component="a" href={bundlePath(runId)} download>
              Bundle: all of the Run
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
