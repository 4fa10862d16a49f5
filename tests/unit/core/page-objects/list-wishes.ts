import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';

export const display = { widthPx: 1000, heightPx: 500, scaleRatio: 1 };

/** What an HTML document is seen to want, as `kind address`, in order. */
export const wishesOf = (...parts: (string | Buffer)[]) => wishesOfType('text/html; charset=utf-8', ...parts);

export function wishesOfType(contentType: string, ...parts: (string | Buffer)[]): string[] {
  const wishes: string[] = [];
  const objects = new DocumentObjects({
    url: 'http://site.test/dir/page',
    contentType,
    display,
    listener: {
      onWish: (wish) =>
        wishes.push(
          wish.kind === 'inner-document'
            ? 'inner-document'
            : `${wish.kind === 'object' ? wish.type : wish.kind} ${wish.address}`,
        ),
      onStyleText: (text, isApplied) => {
        const sheet = readStyleSheet(text, display, isApplied);
        for (const { address } of sheet.imports) wishes.push(`import ${objects.resolve(address)}`);
        objects.addStyles(sheet);
      },
      onStyleImage: (address) => wishes.push(`css ${address}`),
      onFont: (address) => wishes.push(`font ${address}`),
    },
  });
  for (const part of parts) objects.write(Buffer.from(part));
  objects.end();
  return wishes.map((wish) => wish.replace('http://site.test', ''));
}
