import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { RunDetailSchema, applyRunChange, RunChangeSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { runQuery } from '../../api/queries.ts';
import { runEventsPath } from '../../api/run-progress.ts';

const reconnectMs = 2000;

/** `lost`: the Controller does not answer, and the page keeps trying. */
export type Line = 'connecting' | 'live' | 'lost';

/** Updates a Run's query with each event of the Controller, until the Run ends. */
export function useRunEvents(runId: string, isEnabled: boolean): Line {
  const queryClient = useQueryClient();
  const [line, setLine] = useState<Line>('connecting');

  useEffect(() => {
    if (!isEnabled) return;
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;

    let last: RunDetail | null = null;
    const take = (run: RunDetail) => {
      last = run;
      queryClient.setQueryData(runQuery(runId).queryKey, run);
      setLine('live');
      // The stream ends with the Run; without this the browser would open it again.
      if (!isOpen(run.state)) source.close();
    };

    const connect = () => {
      source = new EventSource(runEventsPath(runId));
      source.onmessage = (event: MessageEvent<string>) => {
        take(RunDetailSchema.parse(JSON.parse(event.data)));
      };
      source.addEventListener('change', (event: MessageEvent<string>) => {
        if (last) take(applyRunChange(last, RunChangeSchema.parse(JSON.parse(event.data))));
      });
      source.onerror = () => {
        setLine('lost');
        // The browser tries again automatically only after a broken connection. An error answer ends that.
        if (source.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(connect, reconnectMs);
        void queryClient.invalidateQueries(runQuery(runId));
      };
    };

    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [runId, isEnabled, queryClient]);

  return line;
}
