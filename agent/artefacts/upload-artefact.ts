import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'undici';

interface Upload {
  controllerUrl: string;
  token: string;
  file: string;
  /** Where it goes to, below the Controller's own address. */
  path: string;
  signal: AbortSignal;
}

/** Refusals that another try would meet again: the file is too large, or not what its hash says. */
const finalStatuses = [400, 413];

/**
 * Gives the Controller a file under its hash, however long that takes. Returns why the Controller does not take it, or null when it has it; rejects when
 * another try may help.
 */
export async function uploadArtefact({ controllerUrl, token, file, path, signal }: Upload): Promise<string | null> {
  const url = new URL(path, controllerUrl.endsWith('/') ? controllerUrl : `${controllerUrl}/`);
  const { size } = await stat(file);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/octet-stream',
    'content-length': String(size),
  };
  // By default the answer must begin within five minutes of the request's first byte.
  const { statusCode, body } = await request(url, {
    method: 'PUT',
    headers,
    body: createReadStream(file),
    signal,
    headersTimeout: 0,
  });
  const answer = await body.text();
  if (statusCode < 300) return null;
  if (finalStatuses.includes(statusCode)) return answer;
  throw new Error(`The Controller answered the upload of ${file} with HTTP status ${statusCode}: ${answer}`);
}
