import type { AnswerWriter } from '../http/answer-writer.ts';

const reasons = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
};

export interface LocalAnswer {
  status: keyof typeof reasons;
  text: string;
  /** The type of RFC 9209. */
  type?: string;
}

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

/** Answers without the ground end, and ends the connection. */
export async function answerError(answer: AnswerWriter, local: LocalAnswer): Promise<void> {
  const body = Buffer.from(`HTTPEP: ${local.text}\n`);
  answer.asked.isLast = true;
  await answer.begin({ status: local.status, reason: reasons[local.status], headers: listHeaders(local, body) });
  await answer.write(body);
  await answer.end();
}

/** Of an answer of this end's own: RFC 9110, 6.6.1. */
export function listDate(): string[] {
  return ['Date', new Date().toUTCString()];
}

function listHeaders({ status, type = 'http_request_error' }: LocalAnswer, body: Buffer): string[] {
  return [
    ...['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length), ...listDate()],
    ...['Proxy-Status', `httpep; error=${type}`],
    ...(status === 407 ? ['Proxy-Authenticate', 'Basic realm="HTTPEP"'] : []),
    ...(status === 503 ? ['Retry-After', '1'] : []),
  ];
}
