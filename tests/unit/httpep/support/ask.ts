import { request as sendRequest, type RequestOptions } from 'node:http';

export interface Question {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer;
  isChunked?: boolean;
  trailers?: Record<string, string>;
}

export interface Answer {
  status: number;
  reason: string;
  /** Without those of one hop and what a proxy adds. */
  headers: string[];
  informational: number[];
  body: string;
  trailers: string[];
  isBrokenOff: boolean;
}

const ofHop = ['connection', 'keep-alive', 'transfer-encoding', 'via', 'age', 'date'];

/** Asks for a URL, directly or by a proxy on this machine. */
export function ask(url: string, question: Question = {}, proxyPort?: number): Promise<Answer> {
  const { method = 'GET', headers = {}, body, isChunked = false, trailers } = question;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const target = new URL(url);
  const place: RequestOptions =
    proxyPort === undefined
      ? { host: target.hostname, port: target.port, path: target.pathname + target.search }
      : { host: '127.0.0.1', port: proxyPort, path: url };
  const framing = body && !isChunked ? { 'content-length': String(body.length) } : {};
  const request = sendRequest({
    ...place,
    method,
    headers: { host: target.host, ...framing, ...headers },
    agent: false,
  });
  const informational: number[] = [];
  request.on('information', ({ statusCode }) => informational.push(statusCode));
  request.on('error', reject);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    const finish = (isBrokenOff: boolean) => {
      const pairs = Array.from({ length: response.rawHeaders.length / 2 }, (_, n) =>
        response.rawHeaders.slice(2 * n, 2 * n + 2),
      );
      resolve({
        status: response.statusCode!,
        reason: response.statusMessage!,
        headers: pairs.filter(([name]) => !ofHop.includes(name!.toLowerCase())).flat(),
        informational,
        body: Buffer.concat(chunks).toString('base64'),
        trailers: response.rawTrailers,
        isBrokenOff,
      });
    };
    response.on('end', () => finish(false));
    response.on('error', () => finish(true));
  });
  if (headers.expect === undefined) sendBody();
  else request.on('continue', sendBody);
  return promise;

  function sendBody(): void {
    if (body)
      for (let place = 0; place < body.length; place += 50_000) request.write(body.subarray(place, place + 50_000));
    if (trailers) request.addTrailers(trailers);
    request.end();
  }
}
