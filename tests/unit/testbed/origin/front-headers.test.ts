import { expect, test } from 'vitest';
import { FrontConnections, listFrontHeaders, readFrontHeaders } from '#testbed/origin/front/open-backend.ts';
import { TruthRecorder } from '#testbed/origin/truth-log.ts';

/** As the front sends them, once it has filled in what it knows. */
function makeHeaders(known: Record<string, string> = {}): Record<string, string> {
  const values: Record<string, string> = {
    '{http.request.proto}': 'HTTP/3.0',
    '{http.request.remote.host}': '198.19.1.1',
    '{http.request.remote.port}': '40000',
    '{http.request.tls.version}': 'tls1.3',
    '{http.request.tls.resumed}': 'false',
    ...known,
  };
  const headers = listFrontHeaders({ secret: 'the secret', listener: 'front', host: '198.19.0.1' });
  return Object.fromEntries(Object.entries(headers).map(([name, [value]]) => [name, values[value!] ?? value!]));
}

const read = (headers: Record<string, string>) => readFrontHeaders(headers, 'the secret');

test.each([
  ['HTTP/1.1', 'http/1.1'],
  ['HTTP/2.0', 'h2'],
  ['HTTP/3.0', 'h3'],
])('%s between client and front is %s in the log', (name, protocol) => {
  expect(read(makeHeaders({ '{http.request.proto}': name }))).toEqual({
    listener: 'front',
    host: '198.19.0.1',
    protocol,
    client: { address: '198.19.1.1', port: 40_000 },
    tls: { protocol: 'TLSv1.3', isSessionReused: false },
  });
});

test('a request that does not come from the front is nobody’s', () => {
  const headers = makeHeaders();
  expect(read({})).toBeNull();
  expect(read({ ...headers, 'http-ae-front-secret': 'a guess' })).toBeNull();
  expect(read({ ...headers, 'http-ae-front-host': 'no address' })).toBeNull();
  expect(read({ ...headers, 'http-ae-front-listener': 'http' })).toBeNull();
});

test('requests of one client’s port over one protocol count as one connection, whose times are not known', () => {
  const recorder = new TruthRecorder();
  const connections = new FrontConnections(recorder);
  const of = (known: Record<string, string> = {}) => connections.of(read(makeHeaders(known))!).id;
  const first = of();
  expect(of()).toBe(first);
  expect(of({ '{http.request.remote.port}': '40001' })).not.toBe(first);
  expect(of({ '{http.request.proto}': 'HTTP/2.0' })).not.toBe(first);
  expect(recorder.connections()).toHaveLength(3);
  expect(recorder.connections()[0]).toMatchObject({ openedEpochMs: null, closedEpochMs: null });
});
