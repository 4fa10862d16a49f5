import { z } from 'zod';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { acceptsDialog } from '../browser/dialog-rule.ts';
import type { PagePlace } from '../browser/browser-session.ts';
import { gaveFile } from '#core/agent/page-activity/activity-event.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { ignoreRefusal, type BidiConnection } from './bidi-connection.ts';
import { probeSandbox } from './frame-realms.ts';
import { ErrorEventSchema, RequestEventSchema, ResponseEventSchema } from './network-events.ts';
import { NetworkRecorder } from './firefox-recorder.ts';
import { callInBrowser } from './browser-world.ts';

/** One tab in a user context, watched from before its first navigation. */
export interface FirefoxPage extends AsyncDisposable {
  readonly connection: BidiConnection;
  readonly contextId: string;
  readonly recorder: NetworkRecorder;
  viewport: PageLoad['viewport'];
  isJourney: boolean;
  /** Who to ask for the bodies of answers. */
  readonly collectorId: string;
  /** Aborted with a VisitFailure when page or browser is gone, or the address gives no page. */
  readonly lost: AbortSignal;
}

export interface PageSettings {
  viewport: PageLoad['viewport'];
  deviceScaleRatio: number;
  probeSource: string;
  nowEpochMs: () => number;
  recordsHeaders: boolean;
}

/** What the connection must be subscribed to for `openPage`. */
export const pageEvents = [
  'network.beforeRequestSent',
  'network.responseStarted',
  'network.responseCompleted',
  'network.fetchError',
  'browsingContext.contextCreated',
  'browsingContext.contextDestroyed',
  'browsingContext.navigationStarted',
  'browsingContext.navigationCommitted',
  'browsingContext.downloadWillBegin',
  'browsingContext.load',
  'browsingContext.userPromptOpened',
];

/** Bodies of answers that are kept until the page is closed: style sheets are small. */
const keptBodyBytes = 4 * 2 ** 20;

const ContextEventSchema = z.object({ context: z.string(), parent: z.string().nullish(), url: z.string() });
const DownloadEventSchema = z.object({ context: z.string(), url: z.string(), timestamp: z.number() });
const PromptEventSchema = z.object({ context: z.string(), type: z.string() });
type ContextEvent = z.infer<typeof ContextEventSchema>;
const NavigationEventSchema = z.object({
  context: z.string(),
  navigation: z.string().nullable(),
  timestamp: z.number(),
});
/** A navigation that its page asks about (`beforeunload`) begins without an address. */
const CommittedEventSchema = NavigationEventSchema.extend({ url: z.string() });
const ContextSchema = z.object({ context: z.string() });
const CollectorSchema = z.object({ collector: z.string() });

export async function openPage(
  connection: BidiConnection,
  { contextId: userContext, isContextKept }: PagePlace,
  settings: PageSettings,
): Promise<FirefoxPage> {
  const { viewport, deviceScaleRatio, probeSource, nowEpochMs } = settings;
  const { context } = ContextSchema.parse(
    await connection.send('browsingContext.create', { type: 'tab', userContext }),
  );
  const recorder = new NetworkRecorder({ mainContextId: context, recordsHeaders: settings.recordsHeaders });
  const lost = new AbortController();
  const lose = (code: VisitFailure['code'], detail: string) => lost.abort(new VisitFailure(code, detail));
  const onClosed = () => lose('browser-crashed', 'The browser ended during the Visit');
  connection.closed.addEventListener('abort', onClosed);
  const page = { viewport, isJourney: false };
  const watch = watchPage(connection, { context, recorder, lose, page, nowEpochMs });

  const contexts = [context];
  const [collector] = await Promise.all([
    connection.send('network.addDataCollector', {
      contexts,
      dataTypes: ['response'],
      maxEncodedDataSize: keptBodyBytes,
    }),
    connection.send('script.addPreloadScript', {
      contexts,
      functionDeclaration: `() => {${probeSource}}`,
      sandbox: probeSandbox,
    }),
    connection.send('browsingContext.setViewport', {
      context,
      viewport: { width: viewport.widthPx, height: viewport.heightPx },
      devicePixelRatio: deviceScaleRatio,
    }),
  ]);
  const collectorId = CollectorSchema.parse(collector).collector;

  return Object.assign(page, {
    connection,
    contextId: context,
    recorder,
    collectorId,
    lost: lost.signal,
    [Symbol.asyncDispose]: async () => {
      connection.closed.removeEventListener('abort', onClosed);
      watch[Symbol.dispose]();
      // What belongs to the browser goes with it, if that is gone already.
      await ignoreRefusal(connection.send('network.removeDataCollector', { collector: collectorId }));
      await ignoreRefusal(
        isContextKept ? connection.send('browsingContext.close', { context }) : removeContext(connection, userContext),
      );
    },
  });
}

async function removeContext(connection: BidiConnection, userContext: string): Promise<void> {
  await connection.send('browser.removeUserContext', { userContext });
  await closeIdleConnections(connection);
}

interface Watched {
  context: string;
  recorder: NetworkRecorder;
  lose: (code: VisitFailure['code'], detail: string) => void;
  page: { isJourney: boolean };
  nowEpochMs: () => number;
}

/** Hears all that happens to one page, its frames and workers. Pages of their own that it opens are closed, and are no part of it. */
function watchPage(connection: BidiConnection, { context, recorder, lose, page, nowEpochMs }: Watched): Disposable {
  const otherPages = new Set<string>();
  const isOwn = (event: { context: string | null }) => event.context !== null && !otherPages.has(event.context);
  let isCommitted = false;
  const stack = new DisposableStack();
  const on = (method: string, listener: (params: unknown) => void) => stack.use(connection.on(method, listener));
  const onMain = (method: string, listener: (event: ContextEvent) => void) =>
    on(method, (params) => {
      const event = ContextEventSchema.parse(params);
      if (event.context === context) listener(event);
    });

  on('network.beforeRequestSent', (params) => {
    const event = RequestEventSchema.parse(params);
    if (isOwn(event)) recorder.noteRequest(event);
  });
  on('network.responseStarted', (params) => recorder.noteResponse(ResponseEventSchema.parse(params)));
  on('network.responseCompleted', (params) => recorder.noteEnd(ResponseEventSchema.parse(params)));
  on('network.fetchError', (params) => recorder.noteFailure(ErrorEventSchema.parse(params)));
  on('browsingContext.navigationStarted', (params) => {
    const { context: frameId, navigation: navigationId, timestamp } = NavigationEventSchema.parse(params);
    if (!otherPages.has(frameId) && timestamp > 0)
      recorder.apply({ kind: 'navigation-began', frameId, navigationId, atEpochMs: timestamp });
  });
  on('browsingContext.navigationCommitted', (params) => {
    const event = CommittedEventSchema.parse(params);
    if (!otherPages.has(event.context)) recorder.noteDocument(event);
  });
  on('browsingContext.contextDestroyed', (params) => {
    const { context: frameId } = ContextEventSchema.parse(params);
    if (frameId !== context) recorder.apply({ kind: 'frame-gone', frameId, atEpochMs: nowEpochMs() });
  });
  on('browsingContext.contextCreated', (params) => {
    const created = ContextEventSchema.parse(params);
    if (created.parent) recorder.apply({ kind: 'frame-came', frameId: created.context, parentFrameId: created.parent });
    if (created.parent || created.context === context) return;
    otherPages.add(created.context);
    void ignoreRefusal(connection.send('browsingContext.close', { context: created.context }));
  });
  onMain('browsingContext.contextDestroyed', () => lose('unsupported-content', 'The page closed its tab'));
  onMain('browsingContext.navigationCommitted', ({ url }) => {
    isCommitted = true;
    if (url.startsWith('about:tabcrashed')) lose('browser-crashed', 'The process of the page crashed');
  });
  on('browsingContext.downloadWillBegin', (params) => {
    const download = DownloadEventSchema.parse(params);
    if (download.context !== context) return;
    recorder.noteFile(download);
    // A page that has come may hand out files: they are refused, and it stays.
    if (!isCommitted) lose('unsupported-content', gaveFile);
  });
  on('browsingContext.userPromptOpened', (params) => {
    const prompt = PromptEventSchema.parse(params);
    const accept = acceptsDialog(prompt.type, page);
    // The tab's own: one that the page opened is closed with its dialogs.
    void ignoreRefusal(connection.send('browsingContext.handleUserPrompt', { context: prompt.context, accept }));
  });
  onMain('browsingContext.load', () => recorder.noteLoaded());
  return stack;
}

/**
 * Closes the connections that nobody uses. Those of a user context that is gone would stay for two minutes, and end amid a later Visit.
 * https://searchfox.org/mozilla-central/source/netwerk/protocol/http/nsHttpHandler.cpp
 */
async function closeIdleConnections(connection: BidiConnection): Promise<void> {
  await callInBrowser(connection, { text: `() => Services.obs.notifyObservers(null, 'net:prune-all-connections')` });
}
