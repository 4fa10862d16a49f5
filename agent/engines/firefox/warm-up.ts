import { z } from 'zod';
import { ignoreRefusal, type BidiConnection } from './bidi-connection.ts';
import { collectFrames } from './collect-firefox-frames.ts';
import { RequestEventSchema } from './network-events.ts';
import type { FirefoxPage } from './open-firefox-page.ts';

/** Of a network that nobody has (RFC 5737), so that a request which got away would reach no one; an address, so that no name is looked up. */
const address = 'http://192.0.2.1/';

/** What the answers are by their paths: one of each kind that most pages have. */
const answers: Record<string, { contentType: string; body: string }> = {
  '/': {
    contentType: 'text/html',
    body: '<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="style.css"><script src="script.js"></script><p>A page<img src="image.svg">',
  },
  '/style.css': { contentType: 'text/css', body: 'p { color: black }' },
  '/script.js': { contentType: 'text/javascript', body: 'document.title = "A page"' },
  '/image.svg': {
    contentType: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  },
};

const BlockableEventSchema = RequestEventSchema.extend({ isBlocked: z.boolean() });
const InterceptSchema = z.object({ intercept: z.string() });

/** How long the page may take to report: it does not where scripts are switched off. */
const answerWithinMs = 5000;

/** Loads a page without the network, looks into it and closes it: every request is answered by BiDi. The first page of a Firefox takes longer than the others. */
export async function warmUp(page: FirefoxPage, probeSource: string): Promise<void> {
  const { connection, contextId: context } = page;
  const { intercept } = InterceptSchema.parse(
    await connection.send('network.addIntercept', { phases: ['beforeRequestSent'], contexts: [context] }),
  );
  const answering = connection.on('network.beforeRequestSent', (params) => {
    const { isBlocked, request } = BlockableEventSchema.parse(params);
    if (isBlocked) void ignoreRefusal(answer(connection, request));
  });
  try {
    await connection.send('browsingContext.navigate', { context, url: address, wait: 'complete' });
    await collectFrames(page, {
      probeSource,
      signal: AbortSignal.any([page.lost, AbortSignal.timeout(answerWithinMs)]),
    });
  } finally {
    answering[Symbol.dispose]();
    await page[Symbol.asyncDispose]();
  }
  // Not before: what the page asked for late, as its icon, would go over the network.
  await connection.send('network.removeIntercept', { intercept });
}

async function answer(connection: BidiConnection, { request, url }: { request: string; url: string }): Promise<void> {
  const known = answers[new URL(url).pathname];
  await connection.send('network.provideResponse', {
    request,
    statusCode: known ? 200 : 404,
    reasonPhrase: known ? 'OK' : 'Not Found',
    headers: known ? [{ name: 'Content-Type', value: { type: 'string', value: known.contentType } }] : [],
    body: { type: 'string', value: known?.body ?? '' },
  });
}
