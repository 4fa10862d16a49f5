import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#core/app-error.ts';
import type { CaptureOutcome, Trace } from '#core/protocol/capture-outcome.ts';
import type { CaptureSpool, SpooledCapture, VisitTime } from '../spool/capture-spool.ts';
import { uploadArtefact } from '../artefacts/upload-artefact.ts';
import { VisitMeter } from '../artefacts/visit-meter.ts';
import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';

interface CompletionOptions {
  captureId: string;
  spool: CaptureSpool;
  controllerUrl: string;
  token: string;
  signal: AbortSignal;
}

/**
 * Joins a Capture with its Visits, where it has any, and gives the Controller its trace where it is to be kept. Rejects when another try may help: a trace that a person removed, or that a power
 * cut left damaged, is absent, and with it what only it shows.
 */
export async function completeCapture(capture: SpooledCapture, options: CompletionOptions): Promise<CaptureOutcome> {
  if (capture.kind === 'absent') return capture;
  const { keepsTrace, keepsConnections, visitTimes, localAddresses, firstPort, ...known } = capture;
  const file = options.spool.traceFile(options.captureId);
  const { signal } = options;
  try {
    const measurement = { visitTimes, keepsConnections, localAddresses, firstPort, signal };
    const { visits, firstPacketEpochMs, packets } = await measureVisits(file, measurement);
    if (packets !== known.statistics.packets)
      throw new AppError('corrupt-trace', `it has ${packets} of ${known.statistics.packets} packets`);
    const trace: Trace = keepsTrace
      ? await archive(file, options)
      : { kind: 'absent', reason: 'The Evaluation keeps no traces' };
    return { ...known, firstPacketEpochMs, visits, trace };
  } catch (error) {
    const reason = explainLoss(error);
    if (reason === null) throw error;
    return { ...known, firstPacketEpochMs: null, visits: {}, trace: { kind: 'absent', reason } };
  }
}

/** Why no other try can help: later Captures would wait for this one. Its statistics were made before. Null where one can. */
function explainLoss(error: unknown): string | null {
  if (error instanceof AppError && (error.code === 'not-a-trace' || error.code === 'corrupt-trace'))
    return `Its file on the host was damaged: ${error.message}`;
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'Its file on the host was removed' : null;
}

interface Measurement {
  visitTimes: readonly VisitTime[];
  keepsConnections: boolean;
  localAddresses: readonly string[];
  firstPort: number | null;
  signal: AbortSignal;
}

async function measureVisits(file: string, { visitTimes, signal, ...options }: Measurement) {
  const meter = new VisitMeter(visitTimes, options);
  await pipeline(
    createReadStream(file),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) meter.push(chunk);
    },
    { signal },
  );
  return meter.finish();
}

async function archive(file: string, { controllerUrl, token, signal }: CompletionOptions): Promise<Trace> {
  const compressed = `${file}.gz`;
  const { sha256, bytes } = await compressTrace({ from: file, to: compressed, signal });
  const refusal = await uploadArtefact({
    controllerUrl,
    token,
    file: compressed,
    path: `api/artefacts/${sha256}`,
    signal,
  });
  return refusal === null
    ? { kind: 'kept', sha256, bytes }
    : { kind: 'absent', reason: `The Controller did not take it: ${refusal.slice(0, 4000)}` };
}

/** Writes a copy of a trace, compressed by gzip, which every tool that reads traces can read. Returns the hash and length of what was written. */
async function compressTrace({
  from,
  to,
  signal,
}: {
  from: string;
  to: string;
  signal: AbortSignal;
}): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = async function* (compressed: AsyncIterable<Buffer>) {
    for await (const chunk of compressed) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(createReadStream(from), createGzip(), measure, createWriteStream(to, { mode: 0o600 }), { signal });
  return { sha256: hash.digest('hex'), bytes };
}
