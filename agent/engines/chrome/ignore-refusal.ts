import { ProtocolError } from 'puppeteer-core';

/** For commands whose receiver may go away before it answers: dialogs, popups, frames that are replaced. */
export async function ignoreRefusal(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
}
