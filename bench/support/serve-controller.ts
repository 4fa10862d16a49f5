import { monitorEventLoopDelay } from 'node:perf_hooks';
import pino from 'pino';
import { startBenchController } from './bench-parts.ts';
import type { ServedController, Silence } from './start-controller-process.ts';

/** What `startControllerProcess` starts: a Controller until the channel to its parent closes. To each message it answers how long it was silent since the last one. */
const { port, folder, databaseUrl, webUiFolder, mostConnections } = JSON.parse(process.argv[2]!) as ServedController;
const log = pino({ level: 'error' }, pino.destination(2));
const controller = await startBenchController({ databaseUrl, folder, log }, { port, webUiFolder, mostConnections });
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on('message', () => {
  process.send!({ longestMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6 } satisfies Silence);
  delay.reset();
});
process.once('disconnect', () => void controller.close().then(() => process.exit()));
process.send!({ url: controller.localUrl });
