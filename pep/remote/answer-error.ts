import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface LocalAnswer {
  status: 400 | 403 | 407 | 502 | 503 | 504;
  text: string;
  /** The type of RFC 9209. */
  type?: string;
}

const reasons = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export const tunnelLost: LocalAnswer = {
  status: 504,
  text: 'the ground end does not answer. Try again in a few seconds',
  type: 'connection_timeout',
};
export const groundRestarted: LocalAnswer = {
  status: 502,
  text: 'the ground end gave the request up. Try again',
  type: 'connection_terminated',
};

/** Answers without the ground end. */
export function answerError(response: ServerResponse, answer: LocalAnswer): void {
  const body = describe(answer);
  response.writeHead(answer.status, reasons[answer.status], [...listHeaders(answer, body), 'Connection', 'close']);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The same by a socket that HTTP is not spoken on any more. */
export function answerErrorRaw(socket: Duplex, answer: LocalAnswer): void {
  const body = describe(answer);
  const headers = [...listHeaders(answer, body), 'Connection', 'close'];
  socket.end(`${formatHead({ status: answer.status, reason: reasons[answer.status], headers })}${body}`);
}

/** A head as it is on the wire, where each character is a byte: `latin1`. */
export function formatHead(head: { status: number; reason: string; headers: readonly string[] }): string {
  const lines = Array.from({ length: head.headers.length / 2 }, (_, index) => {
    return `${head.headers[2 * index]!}: ${head.headers[2 * index + 1]!}\r\n`;
  });
  return `HTTP/1.1 ${head.status} ${head.reason}\r\n${lines.join('')}\r\n`;
}

function describe({ text }: LocalAnswer): string {
  return `HTTPEP: ${text}\n`;
}

function listHeaders({ status, type }: LocalAnswer, body: string): string[] {
  return [
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))],
    ...(type === undefined ? [] : ['Proxy-Status', `httpep; error=${type}`]),
    ...(status === 407 ? ['Proxy-Authenticate', 'Basic realm="HTTPEP"'] : []),
    ...(status === 503 ? ['Retry-After', '1'] : []),
  ];
}
