import type { Exchange } from '../exchange.ts';

/** `/download`: a file that a browser saves instead of showing it. */
export async function sendDownload(exchange: Exchange): Promise<void> {
  await exchange.send({
    type: 'application/octet-stream',
    body: 'Nothing of worth.\n',
    headers: { 'content-disposition': 'attachment; filename="download.bin"' },
  });
}
