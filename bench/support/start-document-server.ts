import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface DocumentServerOptions {
  folders: readonly string[];
  protocol: 'http' | 'http2';
}

export interface ServedFolders {
  /** Of each folder, in the same order. */
  urls: string[];
  /** For `trustedKeys` of a browser's settings. */
  trustedKey: string;
}

/** One request as the server saw it. Times are epoch milliseconds. */
export interface LoggedRequest {
  port: number;
  /** Path and query. */
  target: string;
  method: string;
  /** `Sec-Fetch-Dest` and `Sec-Purpose`: what the client wanted it for. Null where it does not say. */
  destination: string | null;
  purpose: string | null;
  status: number;
  arrivedEpochMs: number;
  /** When the socket had taken the last byte, or the client had gone away. Null while it is in flight. */
  endedEpochMs: number | null;
  isComplete: boolean;
  /** Of the body without its coding, and with it. */
  fileBytes: number;
  bodyBytes: number;
  /** Of head and body as sent; null where the connection carries several answers at once. */
  wireBytes: number | null;
}

export type DocumentServer = ServedFolders & {
  /** What was logged since the last call. */
  takeLog(): Promise<LoggedRequest[]>;
} & AsyncDisposable;

/** Serves folders in a process of its own, so that what an engine does does not slow it down. */
export async function startDocumentServer(options: DocumentServerOptions): Promise<DocumentServer> {
  const child = fork(path.join(import.meta.dirname, 'serve-documents.ts'), [JSON.stringify(options)]);
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error('The server of the documents ended');
  });
  ended.catch(() => {});
  const read = async <T>() => ((await Promise.race([once(child, 'message'), ended])) as [T])[0];
  const served = await read<ServedFolders>();
  return {
    ...served,
    takeLog: () => {
      const log = read<LoggedRequest[]>();
      child.send('log');
      return log;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
