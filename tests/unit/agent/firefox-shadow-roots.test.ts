import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { BidiConnection } from '#agent/engines/firefox/bidi-connection.ts';
import { collectFrames } from '#agent/engines/firefox/collect-firefox-frames.ts';
import type { FirefoxPage } from '#agent/engines/firefox/open-firefox-page.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { makeFrame } from '../core/metrics/support/snapshot-parts.ts';

const CommandSchema = z.object({
  id: z.number(),
  method: z.string(),
  params: z.object({
    expression: z.string().optional(),
    functionDeclaration: z.string().optional(),
    arguments: z.array(z.object({ sharedId: z.string() })).optional(),
    serializationOptions: z.object({ maxDomDepth: z.number().nullable() }).optional(),
  }),
});
type Command = z.infer<typeof CommandSchema>;

const text = (value: unknown) => ({ type: 'success', result: { type: 'string', value: JSON.stringify(value) } });
/** As Firefox 140 describes an element of which no children are asked for. */
const hostOf = (id: string, root: { id: string; mode: string } | null) => ({
  type: 'node',
  sharedId: id,
  value: {
    nodeType: 1,
    localName: 'span',
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    childNodeCount: 1,
    attributes: {},
    shadowRoot: root && {
      type: 'node',
      sharedId: root.id,
      value: { nodeType: 11, childNodeCount: 1, mode: root.mode },
    },
  },
});

/** A browser with one page. Of a whole document it gives no description, as of one of megabytes. */
async function openAnswered(hosts: object[][]) {
  const revealed: string[] = [];
  const answer = ({ method, params }: Command): object => {
    if (method === 'browsingContext.getTree')
      return { contexts: [{ context: 'main', url: 'http://origin.test/', children: [] }] };
    if (method === 'script.callFunction') {
      revealed.push(...params.arguments!.map(({ sharedId }) => sharedId));
      return { type: 'success', result: { type: 'undefined' } };
    }
    const { expression = '', serializationOptions } = params;
    if (expression.includes('listHosts') && serializationOptions?.maxDomDepth === 0)
      return { type: 'success', result: { type: 'array', value: hosts.shift() ?? [] } };
    if (expression.includes('httpAeProbe.report()')) return text(makeFrame());
    return text(false);
  };
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const command = CommandSchema.parse(JSON.parse((data as Buffer).toString()));
      socket.send(JSON.stringify({ type: 'success', id: command.id, result: answer(command) }));
    }),
  );
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = await BidiConnection.open({ url, answerWithinMs: 20_000 });
  return {
    page: { connection, contextId: 'main', recorder: { requests: [] as NetworkRequest[] } } as FirefoxPage,
    revealed,
    [Symbol.asyncDispose]: async () => {
      connection.end();
      server.close();
      await once(server, 'close');
    },
  };
}

test('Firefox is asked of single elements, never of a whole document, and as long as there are others', async () => {
  await using browser = await openAnswered([
    [hostOf('a', { id: 'closed in a', mode: 'closed' }), hostOf('b', null), hostOf('c', { id: 'c', mode: 'open' })],
    [hostOf('d', { id: 'closed in d', mode: 'closed' })],
  ]);
  const { frames } = await collectFrames(browser.page, { probeSource: '', signal: new AbortController().signal });
  expect(frames).toHaveLength(1);
  expect(browser.revealed).toEqual(['closed in a', 'closed in d']);
});
