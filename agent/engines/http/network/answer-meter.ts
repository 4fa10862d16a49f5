import type { ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FrameMeter } from './frame-meter.ts';
import { takeNextStream } from './next-stream.ts';

/** Counts the bytes of one answer as they are on the connection, right below TLS: headers, body, and what frames them. */
export interface AnswerMeter {
  /** Once, when the request is about to be sent. */
  begin(): void;
  /** With each head, those of interim answers included. */
  addHead(head: { rawHeaders: unknown; statusText: string }): void;
  addBody(bytes: number): void;
  /** What has come so far. */
  read(): number;
}

/** Counts the frames of the stream. `onOpened` has the stream before anything is sent on it. */
export function meterStream(
  connection: Duplex,
  { frames, onOpened }: { frames: FrameMeter; onOpened: (stream: ClientHttp2Stream) => void },
): AnswerMeter {
  let stream: ClientHttp2Stream | null = null;
  return {
    begin: () =>
      takeNextStream(connection, (opened) => {
        stream = opened;
        onOpened(opened);
      }),
    addHead: () => {
      if (stream === null) throw new Error('An answer came on a stream that undici did not open with its request');
    },
    addBody: () => undefined,
    // A stream that still waits for its turn has no number.
    read: () => (stream?.id === undefined ? 0 : frames.bytesOf(stream.id)),
  };
}

/** Counts all bytes that the connection received since the request began: it answers one request at a time. */
export function meterSocket(socket: Socket): AnswerMeter {
  let before = 0;
  return {
    begin: () => (before = socket.bytesRead),
    addHead: () => undefined,
    addBody: () => undefined,
    read: () => socket.bytesRead - before,
  };
}

/** Counts the heads and bodies that the parser yields, of answers that share a connection. The sizes that precede each part of a chunked body are missing. */
export function meterParts(): AnswerMeter {
  let bytes = 0;
  return {
    begin: () => (bytes = 0),
    addHead: (head) => (bytes += countHeadBytes(head)),
    addBody: (count) => (bytes += count),
    read: () => bytes,
  };
}

/** `HTTP/1.1 200 ` and the words after it, then `name: value` for each field, each line with its end, then an empty line. */
function countHeadBytes({ rawHeaders, statusText }: { rawHeaders: unknown; statusText: string }): number {
  const parts = Array.isArray(rawHeaders) ? (rawHeaders as (Buffer | string)[]) : [];
  return 15 + statusText.length + parts.reduce((total, part) => total + part.length, 0) + 2 * parts.length + 2;
}
