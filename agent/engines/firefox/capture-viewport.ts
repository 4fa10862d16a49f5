import { z } from 'zod';
import type { BidiConnection } from './bidi-connection.ts';

const ScreenshotSchema = z.object({ data: z.base64() });

/** What the viewport shows now, as a JPEG with as many pixels as the device would have. `quality`: in percent. */
export async function captureViewport(
  connection: BidiConnection,
  { context, quality }: { context: string; quality: number },
): Promise<Buffer> {
  const answer = await connection.send('browsingContext.captureScreenshot', {
    context,
    format: { type: 'image/jpeg', quality: quality / 100 },
  });
  return Buffer.from(ScreenshotSchema.parse(answer).data, 'base64');
}
