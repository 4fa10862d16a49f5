import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface MeasuredAnswer {
  /** From the request to the last byte. */
  ms: number;
  /** As they come to a browser, compressed. */
  sentBytes: number;
  bytes: number;
}

/** An answer of the API as a browser asks for it. */
export async function measureAnswer(url: string, token: string): Promise<MeasuredAnswer> {
  const startMs = performance.now();
  const asked = request(url, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const ms = performance.now() - startMs;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${body.toString()}`);
  const isCompressed = response.headers['content-encoding'] === 'gzip';
  return { ms, sentBytes: body.length, bytes: isCompressed ? gunzipSync(body).length : body.length };
}
