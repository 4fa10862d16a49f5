import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatReportFile, reportParts } from '#core/comparison/report-file.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { measurementsQuery, methodQuery, wireQuery } from '../../api/queries.ts';
import { fetchComparison } from '../../api/reports.ts';
import { request, text } from '../../api/request.ts';
import { saveFile } from '../../export/save-file.ts';

/** The whole report as one file that opens without a network, with latencies that count from there. */
export function SaveReportButton({ runId, from }: { runId: string; from: LatencyOrigin }) {
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
      const html = formatReportFile({ data: { version: 1, comparison, wire, method, measurements }, script, style });
      const suffix = from === 'navigation-start' ? '' : `-from-${from}`;
      saveFile(new Blob([html], { type: 'text/html;charset=utf-8' }), `run-${runId}-report${suffix}.html`);
    },
  });
  return (
    <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
      Report as HTML
    </Button>
  );
}
