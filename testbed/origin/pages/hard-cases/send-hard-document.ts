import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../../exchange.ts';
import { hardDocuments } from './all-hard-cases.ts';
import { linkHardObject } from './link-hard-object.ts';

/** `/hard-cases/NAME`: a frame or a style sheet. One that is held back brings in nothing, so that nothing ends after it. */
export async function sendHardDocument(exchange: Exchange, name: string): Promise<void> {
  const document = hardDocuments.get(name);
  if (!document) throw new AppError('not-found', `The page of hard cases has no document "${name}"`);
  await exchange.wait(exchange.query.delayMs);
  await exchange.send({
    type: document.type,
    body: exchange.query.last === name ? '' : document.render(linkHardObject(exchange)),
  });
}
