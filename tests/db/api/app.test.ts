import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '#controller/http/create-app.ts';
import { listRoutes } from '#controller/http/list-routes.ts';
import { startController } from '#controller/start-controller.ts';
import { withServices } from './support/with-services.ts';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';

let folder: string;
let it: TestController;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'http-ae-web-ui-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>HTTP-AE</title>');
  await writeFile(path.join(folder, 'assets', 'main-4f3a.js'), 'export {};');
  it = await startTestController({ webUiFolder: folder });
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('every route of the app is in its OpenAPI document, and every described one is there', async () => {
  const { app, routeCount } = await withServices(it, (services) => ({
    app: createApp(services, { webUiFolder: null }),
    routeCount: listRoutes(services).length,
  }));
  const served = app.router.stack
    .flatMap((layer) => (layer.handle as unknown as { stack?: (typeof layer)[] }).stack ?? [])
    .flatMap(({ route }) =>
      route ? route.stack.map((handler) => `${handler.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`) : [],
    );

  const DocumentSchema = z.object({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string() }))),
  });
  const document = DocumentSchema.parse(await (await it.anonymous('/api/openapi.json')).json());
  const described = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.keys(methods).map((method) => `${method} ${route}`),
  );

  expect([...new Set(served)].sort()).toEqual(described.sort());
  expect(described).toHaveLength(routeCount);
});

test('health is shown to anybody', async () => {
  const health = await it.anonymous('/api/health');
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok', version: expect.any(String) as string }]);
  expect(health.headers.get('cache-control')).toBe('no-store');
});

test('a supervisor needs no token, and is warned of a database of another version', async () => {
  const ask = async (path: string) => {
    const response = await it.anonymous(path);
    return [response.status, (await response.json()) as unknown];
  };
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', problem: null }]);
  const { pool } = it.controller;
  await pool.query(`insert into migration (name, run_on) values ('9999_later', now())`);
  expect(await ask('/readyz')).toMatchObject([500, { code: 'migration-failed' }]);
  await pool.query(`delete from migration where name = '9999_later'`);
});

test('a Controller whose disk is full is not ready, and its process is well', async () => {
  // Of these file systems the kernel says that no byte is free.
  const databaseFolder = process.platform === 'linux' ? '/proc' : '/dev';
  await using full = await startTestController({ databaseFolder });
  const ready = await full.anonymous('/readyz');
  expect([ready.status, await ready.json()]).toEqual([
    507,
    expect.objectContaining({ code: 'disk-full', message: expect.stringContaining(databaseFolder) as string }),
  ]);
  expect((await full.anonymous('/healthz')).status).toBe(200);
});

test('Prometheus reads the metrics with a token, and nobody without', async () => {
  expect((await it.anonymous('/metrics')).status).toBe(401);
  const answer = await it.program('/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  const text = await answer.text();
  for (const line of [
    /^http_ae_runs\{state="completed"\} 0$/m,
    /^http_ae_rounds_total\{outcome="broken"\} 0$/m,
    /^http_ae_visits_stored_total 0$/m,
    /^http_ae_upload_duration_seconds_count 0$/m,
    /^http_ae_agents_connected 0$/m,
    /^http_ae_queue_length\{queue="reports"\} 0$/m,
    /^http_ae_database_bytes [1-9]\d+$/m,
    /^http_ae_http_request_duration_seconds_count\{method="GET",status="200"\} [1-9]/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
  ])
    expect(text).toMatch(line);
  const dashboard = await readFile(
    path.resolve(import.meta.dirname, '../../../examples/operating/grafana.json'),
    'utf8',
  );
  const charted = [...dashboard.matchAll(/\b(?:http_ae|nodejs|process)_\w+/g)].map(([name]) => name);
  expect(charted.length).toBeGreaterThan(10);
  expect(charted.filter((name) => !text.includes(name))).toEqual([]);
});

test('what is long is compressed for who takes that, and what reveals a session is not', async () => {
  const document = await it.anonymous('/api/openapi.json', { headers: { 'accept-encoding': 'br' } });
  expect([document.headers.get('content-encoding'), await document.json()]).toEqual([
    'br',
    expect.objectContaining({ openapi: expect.any(String) as string }),
  ]);
  const plain = await it.anonymous('/api/openapi.json', { headers: { 'accept-encoding': 'identity' } });
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
    null,
    expect.stringContaining('Accept-Encoding'),
  ]);

  const { browser } = await it.signIn();
  const session = await browser('/api/session');
  expect([session.status, session.headers.get('content-encoding')]).toEqual([200, null]);
});

test('the addresses of the web UI lead to its page, its files are kept forever, and nothing else is there', async () => {
  for (const address of ['/', '/runs/7', '/sign-in']) {
    const page = await it.anonymous(address, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await page.text()).toContain('<title>HTTP-AE</title>');
  }
  const asset = await it.anonymous('/assets/main-4f3a.js');
  expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  for (const address of ['/assets/gone.js', '/assets/%2e%2e/%2e%2e/package.json', '/favicon.ico']) {
    expect((await it.anonymous(address, { headers: { accept: 'text/html' } })).status).toBe(404);
  }
});

test('pages may load nothing from elsewhere, and be framed by nobody', async () => {
  const { headers } = await it.anonymous('/');
  const policy = headers
    .get('content-security-policy')!
    .split(';')
    .map((directive) => directive.trim());
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.has('x-powered-by')).toBe(false);
});

test('the log reports requests without what they carry', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const options = {
    databaseUrl: it.database.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    webUiFolder: null,
    artefactsFolder: it.artefactsFolder,
    log,
    signal: AbortSignal.timeout(30_000),
  };
  const secret = `secret-${randomUUID()}`;
  {
    await using controller = await startController(options);
    await fetch(`${controller.url}/api/sign-in/ticket?x=${secret}`, postJson({ ticket: secret }));
    await fetch(`${controller.url}/api/runs`, {
      headers: { authorization: `Bearer ${secret}`, cookie: `http_ae_session=${secret}` },
    });
  }
  expect(lines.join('')).toContain('/api/sign-in/ticket');
  expect(lines.join('')).not.toContain(secret);
});

test('a port that is taken, and a database that is away, are reported with the fix and without the password', async () => {
  const log = pino({ level: 'silent' });
  const options = {
    databaseUrl: it.database.databaseUrl,
    host: '127.0.0.1',
    webUiFolder: null,
    artefactsFolder: it.artefactsFolder,
    log,
    signal: AbortSignal.timeout(30_000),
  };
  const port = Number(new URL(it.controller.url).port);
  await expect(startController({ ...options, port })).rejects.toMatchObject({
    code: 'port-taken',
    message: `Another program uses port ${port} of 127.0.0.1: end it, or choose another port with --port`,
  });

  const wrong = Object.assign(new URL(it.database.databaseUrl), { password: 'not-the-password' }).href;
  const failure: unknown = await startController({ ...options, port: 0, databaseUrl: wrong }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining(new URL(wrong).host) as string,
  });
  expect(String(failure)).not.toContain('not-the-password');
});
