import { AppError } from '#core/app-error.ts';
import { askForPassword } from './endpoints/ask-for-password.ts';
import { closeUnanswered, neverAnswer, resetUnanswered } from './endpoints/leave-unanswered.ts';
import { redirectForever, redirectHops } from './endpoints/redirect.ts';
import { sendDownload } from './endpoints/send-download.ts';
import { sendBlankPage, sendLargePage } from './endpoints/send-large-page.ts';
import { sendStatus } from './endpoints/send-status.ts';
import type { Exchange } from './exchange.ts';
import type { PreparedImages } from './objects/prepare-images.ts';
import { sendBrokenImage, sendEndlessImage } from './objects/send-broken-image.ts';
import { sendEvents } from './objects/send-events.ts';
import { sendFont } from './objects/send-font.ts';
import { sendImage } from './objects/send-image.ts';
import { sendTextObject } from './objects/send-text-object.ts';
import { sendAccountPage } from './pages/account-pages.ts';
import { sendChunkedPage } from './pages/chunked-page.ts';
import { sendDialogPage } from './pages/dialog-page.ts';
import { sendHardCasesPage } from './pages/hard-cases/hard-cases-page.ts';
import { sendHardDocument } from './pages/hard-cases/send-hard-document.ts';
import { sendImagesPage } from './pages/images-page.ts';
import { sendIndexPage } from './pages/index-page.ts';
import { sendNeverEndsPage } from './pages/never-ends-page.ts';
import { sendPopupPage } from './pages/popup-page.ts';
import { sendComposedPage, sendIconsPage } from './pages/sized-pages.ts';
import { sendSlowFirstBytePage } from './pages/slow-first-byte-page.ts';
import { answerTaskRequest } from './tasks/answer-task-request.ts';
import type { OpenTasks } from './tasks/open-tasks.ts';

/**
 * Answers one exchange; `segments` are what the path has after the route's own name. Throws `AppError` for what the client
 * got wrong.
 */
type Handler = (exchange: Exchange, segments: string[]) => Promise<void>;

/** All that the origin answers, by the first segment of the path. */
export function routeRequests(
  { images, thumbnails, sized }: PreparedImages,
  tasks: OpenTasks,
): (exchange: Exchange) => Promise<void> {
  const routes = new Map<string, Handler>([
    ['images', (exchange, [count]) => sendImagesPage(exchange, { count, kind: 'image', sized })],
    ['thumbnails', (exchange, [count]) => sendImagesPage(exchange, { count, kind: 'thumbnail', sized })],
    ['page', (exchange, [composition]) => sendComposedPage(exchange, { composition, sized })],
    ['icons', (exchange, [count]) => sendIconsPage(exchange, { count, sized })],
    ['hard-cases', (exchange, [name]) => (name ? sendHardDocument(exchange, name) : sendHardCasesPage(exchange))],
    ['never-ends', sendNeverEndsPage],
    ['chunked', sendChunkedPage],
    ['slow-first-byte', sendSlowFirstBytePage],
    ['dialog', sendDialogPage],
    ['popup', sendPopupPage],
    ['account', (exchange, [name]) => sendAccountPage(exchange, name)],
    ['task', (exchange, segments) => answerTaskRequest(exchange, { tasks, segments })],

    ['image', (exchange, [name]) => sendImage(exchange, name, { images, sized })],
    ['thumbnail', (exchange, [name]) => sendImage(exchange, name, { images: thumbnails, sized })],
    ['broken-image', (exchange) => sendBrokenImage(exchange, images)],
    ['endless-image', (exchange) => sendEndlessImage(exchange, images)],
    ['script.js', (exchange) => sendTextObject(exchange, 'script')],
    ['style.css', (exchange) => sendTextObject(exchange, 'style')],
    ['data', (exchange) => sendTextObject(exchange, 'data')],
    ['font.ttf', sendFont],
    ['events', sendEvents],

    ['redirect', redirectHops],
    ['redirect-loop', redirectForever],
    ['status', (exchange, [code]) => sendStatus(exchange, code)],
    ['blank', sendBlankPage],
    ['large', (exchange, [bytes]) => sendLargePage(exchange, bytes)],
    ['empty', closeUnanswered],
    ['reset', resetUnanswered],
    ['hang', neverAnswer],
    ['download', sendDownload],
    ['auth', askForPassword],
  ]);

  return async (exchange) => {
    const [first = '', ...rest] = exchange.url.pathname.slice(1).split('/');
    const handle = exchange.url.pathname === '/' ? sendIndexPage : routes.get(first);
    if (!handle) throw new AppError('not-found', `The origin has no page ${exchange.url.pathname}: / lists its pages`);
    await handle(exchange, rest);
  };
}
