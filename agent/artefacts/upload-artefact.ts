import { openAsBlob } from 'node:fs';

interface Upload {
  controllerUrl: string;
  token: string;
  file: string;
  sha256: string;
  signal: AbortSignal;
}

/** Refusals that another try would meet again: the file is too large, or not what its hash says. */
const finalStatuses = [400, 413];

/** Gives the Controller a file under its hash. Returns why it does not take it, or null when it has it; rejects when another try may help. */
export async function uploadArtefact({ controllerUrl, token, file, sha256, signal }: Upload): Promise<string | null> {
  const url = new URL(`api/artefacts/${sha256}`, controllerUrl.endsWith('/') ? controllerUrl : `${controllerUrl}/`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const response = await fetch(url, { method: 'PUT', headers, body: await openAsBlob(file), signal });
  const answer = await response.text();
  if (response.ok) return null;
  if (finalStatuses.includes(response.status)) return answer;
  throw new Error(`The Controller answered the upload of ${file} with HTTP status ${response.status}: ${answer}`);
}
