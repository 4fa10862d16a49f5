import { open } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { LiveCapture } from './live-capture.ts';
import { openSource } from './open-source.ts';
import type { PacketSource } from './packet-source.ts';

export interface CaptureOptions {
  interface: string;
  /** In pcap's language; `buildCaptureFilter` makes one for a User Agent. */
  filter: string;
  /** Where the trace is written. An earlier file is replaced. */
  file: string;
  /** Whose packets are sent and received, for the statistics by direction. */
  localAddresses: readonly string[];
  /** How much of each packet is kept; by default `defaultSnapBytes`. */
  snapBytes?: number;
  /** The capture ends by itself when the file is larger; by default 4 GiB. */
  maximumFileBytes?: number;
  /** What may capture, in order of preference. */
  programs?: readonly PacketSource['program'][];
}

/** Every header of a packet, and of a TLS hello what fits: mostly the server's version, rarely all that a browser offers. */
export const defaultSnapBytes = 512;
const defaultMaximumFileBytes = 4 * 1024 ** 3;
/** Between kernel and process: room for some 30,000 cut packets, which is a second at 300 Mb/s. */
const bufferBytes = 16 * 1024 * 1024;

/**
 * Captures into a file, in a process of its own, with the statistics kept up to date from the same bytes. Throws
 * `invalid-input` for a filter that is none, else `capture-unavailable` with the reason of each program that could have done it.
 */
export async function startCapture(options: CaptureOptions): Promise<LiveCapture> {
  const {
    filter,
    file,
    localAddresses,
    snapBytes = defaultSnapBytes,
    maximumFileBytes = defaultMaximumFileBytes,
  } = options;
  const source = await openSource(options.programs ?? ['pcap', 'tcpdump'], {
    interface: options.interface,
    filter,
    snapBytes,
    bufferBytes,
  });
  try {
    return new LiveCapture(source, await open(file, 'w'), { localAddresses, maximumFileBytes });
  } catch (cause) {
    source[Symbol.dispose]();
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'capture-unavailable',
      `The trace cannot be written to ${file}: name a folder with free space that this user may write to`,
      { cause },
    );
  }
}
