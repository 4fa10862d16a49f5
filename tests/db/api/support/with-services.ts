import pino from 'pino';
import { HostJoins } from '#controller/agents/host-joins.ts';
import type { Services } from '#controller/http/services.ts';
import { DiskSpace } from '#controller/captures/artefacts/disk-space.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { PictureArchive } from '#controller/captures/artefacts/picture-archive.ts';
import { TraceArchive } from '#controller/captures/artefacts/trace-archive.ts';
import { PrometheusMetrics } from '#controller/operating/prometheus-metrics.ts';
import { ReportMaker } from '#controller/reports/report-maker.ts';
import { SnapshotReader } from '#controller/visits/snapshot-reader.ts';
import { SiteArchive } from '#controller/sites/site-archive.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { createRunServices } from '#controller/run-services.ts';
import type { TestController } from '#tests/support/controller.ts';

/** The routes of the Controller can be listed with these services. They serve nothing. */
export async function withServices<T>(
  { controller: { pool }, database: { databaseUrl }, artefactsFolder }: TestController,
  use: (services: Services) => T,
): Promise<T> {
  const log = pino({ level: 'silent' });
  const place = openFolder(artefactsFolder);
  const traces = new TraceArchive(place, { pool, maximumBytes: 1 });
  await using siteReader = new SiteReader();
  await using snapshots = new SnapshotReader();
  await using reports = new ReportMaker({ pool, databaseUrl });
  const shared = {
    ...{ pool, traces, siteReader, log },
    disk: new DiskSpace([artefactsFolder]),
    storeWatch: { problem: null },
    metrics: new PrometheusMetrics('0'),
    controllerVersion: '0',
  };
  const { runControl, agents } = createRunServices({
    ...shared,
    listenDatabaseUrl: databaseUrl,
    controllerName: 'test',
    machineId: null,
    oneRunAtATime: false,
  });
  return use({
    ...shared,
    ...{ runControl, agents, reports, snapshots, causes: { want: () => undefined } },
    hostJoins: new HostJoins({ pool, agents, log, joining: null }),
    pictures: new PictureArchive(place, { pool }),
    sites: new SiteArchive(place, { pool, reader: siteReader }),
    clearing: { wake: () => undefined },
    readLoad: () => {
      throw new Error('Nobody reads it');
    },
    isSecure: false,
    host: '127.0.0.1',
    publicUrl: null,
    testbed: null,
    cookieName: 'session',
    ownerToken: null,
  });
}
