import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { checkBodies, openSite } from '#site/open-site.ts';
import { askIndex, prepareSite, type IndexQuestion, type PreparedSite } from './site-index.ts';

/** The Controller holds and sends all of it. */
const mostCharacters = 128 * 1024 * 1024;

/** A file that came, or a question to the index of a Site that is stored. */
export type SiteOrder = { kind: 'check'; file: string } | { kind: 'ask'; index: Uint8Array; question: IndexQuestion };

/** `isRefused`: the file is no whole recording. */
export type SiteAnswer =
  | { kind: 'prepared'; site: PreparedSite }
  | { kind: 'text'; text: string }
  | { kind: 'problem'; isRefused: boolean; problem: string };

process.on('message', (order: SiteOrder) => void answer(order).then((done) => process.send!(done)));
// The Controller is gone.
process.on('disconnect', () => process.exit());

async function answer(order: SiteOrder): Promise<SiteAnswer> {
  try {
    if (order.kind === 'check') return { kind: 'prepared', site: await prepareFile(order.file) };
    const text = askIndex(order.index, order.question);
    return text.length > mostCharacters
      ? { kind: 'problem', isRefused: false, problem: `it has more than ${mostCharacters} characters as it is written` }
      : { kind: 'text', text };
  } catch (error) {
    const problem = (error as Error).message.slice(0, 1000);
    return { kind: 'problem', isRefused: error instanceof AppError && error.code === 'invalid-input', problem };
  }
}

/** Reads all of it. What is wrong with it names no file: it has no name of its own while it comes. */
async function prepareFile(file: string): Promise<PreparedSite> {
  try {
    await using opened = await openSite(file);
    await checkBodies(opened);
    return prepareSite(opened.site);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.message.replaceAll(path.basename(file), 'the file').replace(/^the/, 'The');
    throw new AppError(error.code, message, { cause: error });
  }
}
